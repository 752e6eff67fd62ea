//! Random graphs of operations.

use ravelin_base::EntityRef;
use ravelin_term::{
    BinOp, DYNAMIC_OBJECTS, FloatKind, Object, Rounding, Sort, Term, TermPool, UnOp, Var,
};

use crate::eval::{Assignment, Pointers, Value, binary, mask, read, unary, write};

/// A small deterministic generator (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound
    }

    /// Interesting numbers: small, at the bounds of a width, a float, or any.
    pub fn interesting(&mut self) -> u128 {
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let border = 1u128 << [7, 8, 15, 16, 31, 32, 63, 64, 127][self.below(9)];
        match self.below(9) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => u128::from(self.next() % 40),
            4 => border,
            5 => border - 1,
            6 => u128::from((self.below(200) as f64 / 4.0 - 20.0).to_bits()),
            7 => u128::from((self.below(200) as f32 / 4.0 - 20.0).to_bits()),
            _ => any,
        }
    }
}

#[derive(Clone, Debug)]
enum Node {
    Bool(bool),
    Number(u128),
    Null,
    Var(Var),
    Address(Object),
    Unary(UnOp, usize),
    Binary(BinOp, usize, usize),
    Ite(usize, usize, usize),
    Read(usize, usize),
    Write(usize, usize, usize),
}

/// Nodes in an order in which operands come first.
pub struct Graph {
    nodes: Vec<(Node, Sort)>,
    pointer_bits: u16,
    pub pointers: Pointers,
}

const WIDTHS: [u16; 8] = [1, 7, 8, 16, 32, 33, 64, 128];

const SORTS: [Sort; 13] = [
    Sort::Bool,
    Sort::Ptr,
    Sort::Bv(1),
    Sort::Bv(7),
    Sort::Bv(8),
    Sort::Bv(16),
    Sort::Bv(32),
    Sort::Bv(33),
    Sort::Bv(64),
    Sort::Bv(128),
    Sort::Float(FloatKind::F32),
    Sort::Float(FloatKind::F64),
    Sort::Mem,
];

/// Two variables of each sort.
pub fn variables() -> impl Iterator<Item = (Var, Sort)> {
    (0..2 * SORTS.len()).map(|index| (Var::new(index), SORTS[index / 2]))
}

impl Graph {
    pub fn random(
        random: &mut Random,
        pointer_bits: u16,
        pointers: Pointers,
        size: usize,
    ) -> Graph {
        let mut graph = Graph { nodes: Vec::new(), pointer_bits, pointers };
        for (var, sort) in variables() {
            graph.nodes.push((Node::Var(var), sort));
        }
        for index in 0..3 {
            graph.nodes.push((Node::Address(Object::new(index)), Sort::Ptr));
        }
        while graph.nodes.len() < size {
            match random.below(14) {
                0 | 1 => {
                    // All but memory, which has no constants.
                    let sort = SORTS[random.below(SORTS.len() - 1)];
                    graph.add_constant(random, sort);
                }
                12 => graph.add_pointer(random),
                13 => graph.add_access(random),
                2..=4 => graph.add_unary(random),
                5 => graph.add_ite(random),
                6 => graph.add_extended_comparison(random),
                7 => graph.add_operation_on_float_constant(random),
                _ => graph.add_binary(random),
            }
        }
        graph
    }

    /// An extended value against a constant, which may or may not be such an extension.
    fn add_extended_comparison(&mut self, random: &mut Random) {
        let narrow = self.pick(random, |sort| matches!(sort, Sort::Bv(width) if width < 64));
        let Some(narrow) = narrow else {
            return;
        };
        let op = if random.below(2) == 0 { UnOp::ZeroExt(64) } else { UnOp::SignExt(64) };
        self.nodes.push((Node::Unary(op, narrow), Sort::Bv(64)));
        self.add_constant(random, Sort::Bv(64));
        let last = self.nodes.len() - 1;
        self.nodes.push((Node::Binary(BinOp::Eq, last - 1, last), Sort::Bool));
    }

    /// A pointer close to others: few bases, small offsets.
    fn add_pointer(&mut self, random: &mut Random) {
        let address = Sort::Bv(self.pointer_bits);
        let base = if self.pointers == Pointers::Pairs && random.below(3) == 0 {
            let number = match random.below(3) {
                0 => random.below(3) as u128,
                _ => u128::from(DYNAMIC_OBJECTS) + random.below(2) as u128,
            };
            self.nodes.push((Node::Number(number), Sort::Bv(32)));
            self.nodes.push((Node::Number(random.below(8) as u128), address));
            let last = self.nodes.len() - 1;
            self.nodes.push((Node::Binary(BinOp::PtrMake, last - 1, last), Sort::Ptr));
            last + 1
        } else {
            // The variables of a sort come first, and the addresses after all variables.
            let addresses = 2 * SORTS.len();
            [2, 3, addresses, addresses + 1, addresses + 2][random.below(5)]
        };
        let index = 2 * SORTS.iter().position(|&sort| sort == address).unwrap_or(0);
        let mut pointer = base;
        if random.below(3) == 0 {
            self.nodes.push((Node::Number([1, 4][random.below(2)]), address));
            let last = self.nodes.len() - 1;
            self.nodes.push((Node::Binary(BinOp::BvMul, index, last), address));
            self.nodes.push((Node::Binary(BinOp::PtrAdd, pointer, last + 1), Sort::Ptr));
            pointer = last + 2;
        }
        let offset = (random.below(24) as u128).wrapping_sub(4);
        self.nodes.push((Node::Number(mask(offset, self.pointer_bits)), address));
        let last = self.nodes.len() - 1;
        self.nodes.push((Node::Binary(BinOp::PtrAdd, pointer, last), Sort::Ptr));
    }

    /// Some writes, and a read.
    fn add_access(&mut self, random: &mut Random) {
        if self.pointers != Pointers::Pairs {
            return;
        }
        for _ in 0..random.below(4) {
            self.add_pointer(random);
            let is_storable = |sort| match sort {
                Sort::Bv(width) => width % 8 == 0,
                Sort::Float(_) | Sort::Ptr => true,
                Sort::Bool | Sort::Mem => false,
            };
            let mem = self.pick(random, |sort| sort == Sort::Mem);
            let pointer = self.pick(random, |sort| sort == Sort::Ptr);
            let value = self.pick(random, is_storable);
            if let (Some(mem), Some(pointer), Some(value)) = (mem, pointer, value) {
                self.nodes.push((Node::Write(mem, pointer, value), Sort::Mem));
            }
        }
        let sort = [
            Sort::Bv(8),
            Sort::Bv(16),
            Sort::Bv(32),
            Sort::Bv(64),
            Sort::Bv(128),
            Sort::Float(FloatKind::F32),
            Sort::Float(FloatKind::F64),
        ][random.below(7)];
        let mem = self.pick(random, |sort| sort == Sort::Mem);
        let pointer = self.pick(random, |sort| sort == Sort::Ptr);
        if let (Some(mem), Some(pointer)) = (mem, pointer) {
            self.nodes.push((Node::Read(mem, pointer), sort));
        }
    }

    fn add_operation_on_float_constant(&mut self, random: &mut Random) {
        let kind = [FloatKind::F32, FloatKind::F64][random.below(2)];
        self.add_constant(random, Sort::Float(kind));
        self.add_unary_on(random, self.nodes.len() - 1);
    }

    fn add_constant(&mut self, random: &mut Random, sort: Sort) {
        let number = random.interesting();
        let node = match sort {
            Sort::Bool => Node::Bool(number & 1 == 1),
            Sort::Ptr => Node::Null,
            Sort::Bv(width) => Node::Number(mask(number, width)),
            // Halves and the bounds of integers are where rounding and conversion differ.
            Sort::Float(kind) if random.below(2) == 0 => {
                let border = [7, 8, 15, 16, 31, 32, 63, 64, 127][random.below(9)];
                let sign = [1.0, -1.0][random.below(2)];
                let number = match random.below(3) {
                    0 => random.below(20) as f64 + 0.5,
                    1 => 2f64.powi(border),
                    _ => 2f64.powi(border) - 1.0,
                } * sign;
                Node::Number(match kind {
                    FloatKind::F32 => u128::from((number as f32).to_bits()),
                    _ => u128::from(number.to_bits()),
                })
            }
            Sort::Float(kind) => Node::Number(mask(number, kind.bits())),
            Sort::Mem => panic!("memory has no constants"),
        };
        self.nodes.push((node, sort));
    }

    /// Recent nodes are likelier, so that graphs get deep.
    fn pick(&self, random: &mut Random, fits: impl Fn(Sort) -> bool) -> Option<usize> {
        let window = if random.below(2) == 0 { 40 } else { self.nodes.len() };
        let start = self.nodes.len() - window.min(self.nodes.len());
        let found: Vec<usize> =
            (start..self.nodes.len()).filter(|&index| fits(self.nodes[index].1)).collect();
        (!found.is_empty()).then(|| found[random.below(found.len())])
    }

    fn add_unary(&mut self, random: &mut Random) {
        if let Some(a) = self.pick(random, |_| true) {
            self.add_unary_on(random, a);
        }
    }

    fn add_unary_on(&mut self, random: &mut Random, a: usize) {
        let sort = self.nodes[a].1;
        let float = [FloatKind::F32, FloatKind::F64][random.below(2)];
        let width = WIDTHS[random.below(WIDTHS.len())];
        let rounding = [
            Rounding::Floor,
            Rounding::Ceil,
            Rounding::Trunc,
            Rounding::NearestEven,
            Rounding::NearestAway,
        ][random.below(5)];
        let (hi, lo) = (random.below(128) as u16, random.below(128) as u16);
        let candidates = [
            UnOp::Not,
            UnOp::BvNot,
            UnOp::BvNeg,
            UnOp::ZeroExt(width),
            UnOp::SignExt(width),
            UnOp::Extract { hi: hi.max(lo), lo: hi.min(lo) },
            UnOp::Extract { hi: width - 1, lo: 0 },
            UnOp::FNeg,
            UnOp::FAbs,
            UnOp::FSqrt,
            UnOp::FRound(rounding),
            UnOp::FIsNan,
            UnOp::FIsInf,
            UnOp::FIsNegative,
            UnOp::FToF(float),
            UnOp::SToF(float),
            UnOp::UToF(float),
            UnOp::FToS(width),
            UnOp::FToU(width),
            UnOp::FToBits,
            UnOp::BitsToF(float),
            UnOp::PtrToInt,
            UnOp::IntToPtr,
        ];
        let pool = TermPool::new(self.pointer_bits);
        let fitting: Vec<(UnOp, Sort)> = candidates
            .into_iter()
            .filter(|&op| op != UnOp::IntToPtr || self.pointers == Pointers::Addresses)
            .filter_map(|op| Some((op, pool.unary_sort(op, sort)?)))
            .collect();
        if !fitting.is_empty() {
            let (op, sort) = fitting[random.below(fitting.len())];
            self.nodes.push((Node::Unary(op, a), sort));
        }
    }

    fn add_binary(&mut self, random: &mut Random) {
        let pool = TermPool::new(self.pointer_bits);
        let op = BinOp::ALL[random.below(BinOp::ALL.len())];
        let fits_left = |sort| SORTS.into_iter().any(|b| pool.binary_sort(op, sort, b).is_some());
        let Some(a) = self.pick(random, fits_left) else {
            return;
        };
        let sort_a = self.nodes[a].1;
        let needs_pairs = matches!(op, BinOp::PtrLt | BinOp::PtrLe | BinOp::PtrMake)
            || (op, sort_a) == (BinOp::Eq, Sort::Ptr);
        if needs_pairs && self.pointers != Pointers::Pairs {
            return;
        }
        let fits_right = |sort| pool.binary_sort(op, sort_a, sort).is_some();
        // Many rules apply to equal operands.
        let b = if random.below(8) == 0 && fits_right(sort_a) {
            Some(a)
        } else {
            self.pick(random, fits_right)
        };
        if let Some(b) = b
            && let Some(sort) = pool.binary_sort(op, sort_a, self.nodes[b].1)
        {
            self.nodes.push((Node::Binary(op, a, b), sort));
        }
    }

    fn add_ite(&mut self, random: &mut Random) {
        let (Some(cond), Some(a)) =
            (self.pick(random, |sort| sort == Sort::Bool), self.pick(random, |_| true))
        else {
            return;
        };
        let sort = self.nodes[a].1;
        if let Some(b) = self.pick(random, |other| other == sort) {
            self.nodes.push((Node::Ite(cond, a, b), sort));
        }
    }

    pub fn sort(&self, index: usize) -> Sort {
        self.nodes[index].1
    }

    pub fn describe(&self, index: usize) -> String {
        let (node, sort) = &self.nodes[index];
        let operands: Vec<String> =
            self.operands(index).map(|operand| format!("{:?}", self.nodes[operand])).collect();
        format!("{node:?}: {sort} of {}", operands.join(", "))
    }

    fn operands(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let (a, b, c) = match self.nodes[index].0 {
            Node::Unary(_, a) => (Some(a), None, None),
            Node::Binary(_, a, b) => (Some(a), Some(b), None),
            Node::Ite(a, b, c) | Node::Write(a, b, c) => (Some(a), Some(b), Some(c)),
            Node::Read(a, b) => (Some(a), Some(b), None),
            Node::Bool(_) | Node::Number(_) | Node::Null | Node::Var(_) | Node::Address(_) => {
                (None, None, None)
            }
        };
        [a, b, c].into_iter().flatten()
    }

    /// Whether the node consists of Boolean and integer constants without divisions: trapping
    /// divisions are not folded.
    pub fn is_closed_integer(&self, index: usize) -> bool {
        let mut work = vec![index];
        while let Some(index) = work.pop() {
            let (node, sort) = &self.nodes[index];
            let is_open = match node {
                Node::Var(_) | Node::Address(_) | Node::Read(..) | Node::Write(..) => true,
                Node::Binary(op, ..) => {
                    matches!(op, BinOp::BvUdiv | BinOp::BvSdiv | BinOp::BvUrem | BinOp::BvSrem)
                }
                Node::Bool(_) | Node::Number(_) | Node::Null | Node::Unary(..) | Node::Ite(..) => {
                    false
                }
            };
            if is_open || !matches!(sort, Sort::Bool | Sort::Bv(_)) {
                return false;
            }
            work.extend(self.operands(index));
        }
        true
    }

    /// The terms of all nodes.
    pub fn build(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut terms: Vec<Option<Term>> = vec![None; self.nodes.len()];
        for index in 0..self.nodes.len() {
            terms[index] = Some(self.build_node(pool, index, &terms));
        }
        terms.into_iter().flatten().collect()
    }

    /// The terms of the nodes below one, the last operands first.
    pub fn build_from(&self, pool: &mut TermPool, index: usize) {
        let mut terms: Vec<Option<Term>> = vec![None; self.nodes.len()];
        let mut work = vec![index];
        while let Some(&next) = work.last() {
            let pending: Vec<usize> =
                self.operands(next).filter(|&operand| terms[operand].is_none()).collect();
            if terms[next].is_some() || pending.is_empty() {
                if terms[next].is_none() {
                    terms[next] = Some(self.build_node(pool, next, &terms));
                }
                work.pop();
            } else {
                work.extend(pending);
            }
        }
    }

    fn build_node(&self, pool: &mut TermPool, index: usize, terms: &[Option<Term>]) -> Term {
        let (node, sort) = &self.nodes[index];
        let built = |index: usize| terms[index].expect("operands are built first");
        match *node {
            Node::Bool(value) => pool.bool(value),
            Node::Number(bits) => match *sort {
                Sort::Float(kind) => pool.float(kind, bits),
                _ => pool.bv(sort.width().expect("a number"), bits),
            },
            Node::Null => pool.null(),
            Node::Var(var) => pool.var(var, *sort),
            Node::Address(object) => pool.address(object),
            Node::Unary(op, a) => pool.unary(op, built(a)),
            Node::Binary(op, a, b) => pool.binary(op, built(a), built(b)),
            Node::Ite(cond, a, b) => pool.ite(built(cond), built(a), built(b)),
            Node::Read(mem, pointer) => pool.read(built(mem), built(pointer), *sort),
            Node::Write(mem, pointer, value) => {
                pool.write(built(mem), built(pointer), built(value))
            }
        }
    }

    /// The values of all nodes.
    pub fn evaluate(&self, assignment: &Assignment) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for (node, sort) in &self.nodes {
            let operand = |index: usize| (values[index], self.nodes[index].1);
            let value = match *node {
                Node::Bool(value) => Value::Bool(value),
                Node::Number(bits) => match *sort {
                    Sort::Float(FloatKind::F32) => Value::F32(bits as u32),
                    Sort::Float(_) => Value::F64(bits as u64),
                    _ => Value::Bv(bits),
                },
                Node::Null => Value::Pointer { object: 0, offset: 0 },
                Node::Var(var) => assignment.var(var, *sort, self.pointer_bits),
                Node::Address(object) => assignment.address(object),
                Node::Unary(op, a) => unary(op, operand(a), *sort, self.pointer_bits),
                Node::Binary(op, a, b) => {
                    binary(op, operand(a), operand(b), *sort, self.pointer_bits)
                }
                Node::Ite(cond, a, b) => match operand(cond).0 {
                    Value::Bool(true) => operand(a).0,
                    _ => operand(b).0,
                },
                Node::Read(mem, pointer) => {
                    read((operand(mem).0, operand(pointer).0), *sort, self.pointer_bits)
                }
                Node::Write(mem, pointer, value) => {
                    write(operand(mem).0, operand(pointer).0, operand(value), self.pointer_bits)
                }
            };
            values.push(value);
        }
        values
    }
}
