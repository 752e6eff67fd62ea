//! Terms as C: exact texts for a few, and gcc's word on the values of many.

use std::fmt::Write;

use ravelin_base::{DataModel, SrcPos};
use ravelin_cfa::{Init, ObjectData, ObjectKind, Program, VarData, VarKind};
use ravelin_evidence::c_expr::{self, Terms};
use ravelin_term::{BinOp, Object, Sort, Term, UnOp, Var};
use ravelin_testkit::gcc::Gcc;

/// A program with variables of all integer types, two pointers, a double and two objects.
struct World {
    program: Program,
    memory: Var,
}

const INTEGERS: [(&str, u16, bool, &str); 8] = [
    ("c", 8, true, "signed char"),
    ("b", 8, false, "unsigned char"),
    ("h", 16, true, "short"),
    ("g", 16, false, "unsigned short"),
    ("x", 32, true, "int"),
    ("u", 32, false, "unsigned int"),
    ("l", 64, true, "long long"),
    ("m", 64, false, "unsigned long long"),
];

impl World {
    fn new(model: DataModel) -> Self {
        let mut program = Program::new(model);
        let mut add = |name: &str, sort, signed| {
            let name = program.names.intern(name);
            let kind = VarKind::Global { init: None, atomic: false };
            program.vars.push(VarData { name, sort, signed, kind, pos: SrcPos::default() });
        };
        for (name, width, signed, _) in INTEGERS {
            add(name, Sort::Bv(width), signed);
        }
        add("p", Sort::Ptr, false);
        add("q", Sort::Ptr, false);
        add("d", Sort::Float(ravelin_term::FloatKind::F64), true);
        add("%", Sort::Bv(32), true);
        for (name, size) in [("cell", 4), ("row", 40)] {
            let name = program.names.intern(name);
            let (kind, init, pos) = (ObjectKind::Global, Init::Zero, SrcPos::default());
            program.objects.push(ObjectData {
                name,
                kind,
                size,
                align: 4,
                is_record: false,
                init,
                pos,
            });
        }
        let memory = Var::from_u32(program.vars.len() as u32);
        World { program, memory }
    }

    fn var(&mut self, name: &str) -> Term {
        let symbol = self.program.names.get(name).expect("a variable of this name");
        let (var, data) = self.program.vars.iter().find(|(_, data)| data.name == symbol).unwrap();
        let sort = data.sort;
        self.program.terms.var(var, sort)
    }

    fn memory(&mut self) -> Term {
        self.program.terms.var(self.memory, Sort::Mem)
    }

    fn address(&mut self, name: &str) -> Term {
        let symbol = self.program.names.get(name).expect("an object of this name");
        let objects = &self.program.objects;
        let object: Object = objects.iter().find(|(_, data)| data.name == symbol).unwrap().0;
        self.program.terms.address(object)
    }

    fn bv(&mut self, width: u16, value: i128) -> Term {
        self.program.terms.bv(width, value as u128)
    }

    fn binary(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        self.program.terms.binary(op, a, b)
    }

    fn unary(&mut self, op: UnOp, a: Term) -> Term {
        self.program.terms.unary(op, a)
    }

    fn terms(&self) -> Terms<'_> {
        let program = &self.program;
        Terms { program, pool: &program.terms, memories: std::slice::from_ref(&self.memory) }
    }
}

fn check(make: impl Fn(&mut World) -> Term, expected: &str) {
    let mut world = World::new(DataModel::Ilp32);
    let term = make(&mut world);
    let text = c_expr::expression(world.terms(), term).expect("C has an expression for it");
    assert_eq!(text, expected);
}

fn check_fallback(make: impl Fn(&mut World) -> Term, expected: &str) {
    let mut world = World::new(DataModel::Ilp32);
    let term = make(&mut world);
    assert_eq!(c_expr::expression(world.terms(), term), None);
    assert_eq!(c_expr::text(world.terms(), term), expected);
}

/// A relation between two variables.
fn relation(op: BinOp, a: &'static str, b: &'static str) -> impl Fn(&mut World) -> Term {
    move |world| {
        let (a, b) = (world.var(a), world.var(b));
        world.binary(op, a, b)
    }
}

/// A relation between a variable and a constant.
fn bound(op: BinOp, a: &'static str, b: i128) -> impl Fn(&mut World) -> Term {
    move |world| {
        let a = world.var(a);
        let width = world.program.terms.sort(a).width().expect("an integer");
        let b = world.bv(width, b);
        world.binary(op, a, b)
    }
}

#[test]
fn comparisons_cast_only_where_signedness_differs() {
    check(relation(BinOp::BvSlt, "x", "x"), "0");
    check(bound(BinOp::BvSlt, "x", 5), "x < 5");
    check(bound(BinOp::BvSle, "x", -5), "x <= -5");
    check(bound(BinOp::BvUlt, "u", 5), "u < 5");
    check(bound(BinOp::BvUlt, "x", 5), "(unsigned int)x < 5");
    check(bound(BinOp::BvSlt, "u", 5), "(int)u < 5");
    check(bound(BinOp::BvUle, "u", 0xffff_fff0), "u <= 4294967280U");
    check(relation(BinOp::BvUlt, "x", "u"), "x < u");
    check(relation(BinOp::BvSlt, "x", "u"), "x < (int)u");
    check(relation(BinOp::BvUlt, "c", "b"), "(unsigned char)c < b");
    check(relation(BinOp::BvSlt, "c", "b"), "c < (signed char)b");
    check(relation(BinOp::Eq, "x", "u"), "x == u");
    check(relation(BinOp::Eq, "c", "b"), "(unsigned char)c == b");
    check(bound(BinOp::Eq, "x", i32::MIN.into()), "x == (-2147483647 - 1)");
    check(bound(BinOp::Eq, "m", -1), "m == 18446744073709551615ULL");
}

#[test]
fn negations_turn_comparisons_round() {
    let not = |make: Box<dyn Fn(&mut World) -> Term>| {
        move |world: &mut World| {
            let inner = make(world);
            world.program.terms.not(inner)
        }
    };
    check(not(Box::new(bound(BinOp::BvSlt, "x", 5))), "x >= 5");
    check(not(Box::new(bound(BinOp::BvSle, "x", 5))), "x > 5");
    check(not(Box::new(bound(BinOp::Eq, "x", 5))), "x != 5");
    let both = |world: &mut World| {
        let (a, b) = (bound(BinOp::Eq, "x", 1)(world), bound(BinOp::Eq, "u", 2)(world));
        let both = world.program.terms.and(a, b);
        world.program.terms.not(both)
    };
    check(both, "x != 1 || u != 2");
}

#[test]
fn arithmetic_has_the_width_of_its_term() {
    let sum = |a: &'static str, by: i128| bound(BinOp::BvAdd, a, by);
    check(sum("x", 1), "x + 1");
    check(sum("x", -1), "x - 1");
    check(sum("c", 1), "(signed char)(c + 1)");
    check(relation(BinOp::BvMul, "x", "u"), "x * u");
    check(bound(BinOp::BvUdiv, "x", 3), "(unsigned int)x / 3");
    check(bound(BinOp::BvLshr, "u", 3), "u >> 3");
    check(bound(BinOp::BvAshr, "u", 3), "(int)u >> 3");
    let mixed = |world: &mut World| {
        let product = relation(BinOp::BvMul, "x", "u")(world);
        let x = world.var("x");
        let masked = world.binary(BinOp::BvAnd, product, x);
        let one = world.bv(32, 1);
        world.binary(BinOp::BvSlt, masked, one)
    };
    check(mixed, "(int)(x & (x * u)) < 1");
    let wide = |world: &mut World| {
        let x = world.var("x");
        let wide = world.unary(UnOp::SignExt(64), x);
        world.binary(BinOp::BvMul, wide, wide)
    };
    check(wide, "(long long)x * x");
}

#[test]
fn extensions_and_extracts_are_casts() {
    let extended = |op: UnOp, name: &'static str| {
        move |world: &mut World| {
            let var = world.var(name);
            let wide = world.unary(op, var);
            let x = world.var("x");
            world.binary(BinOp::Eq, x, wide)
        }
    };
    check(extended(UnOp::ZeroExt(32), "b"), "x == b");
    check(extended(UnOp::SignExt(32), "b"), "x == (signed char)b");
    check(extended(UnOp::SignExt(32), "c"), "x == c");
    let low = |world: &mut World| {
        let x = world.var("x");
        let low = world.unary(UnOp::Extract { hi: 7, lo: 0 }, x);
        let b = world.var("b");
        world.binary(BinOp::Eq, b, low)
    };
    check(low, "b == (unsigned char)x");
}

#[test]
fn pointers_count_bytes() {
    let equal = |offset: u64| {
        move |world: &mut World| {
            let (p, row) = (world.var("p"), world.address("row"));
            let place = world.program.terms.ptr_add_const(row, offset);
            world.program.terms.eq(p, place)
        }
    };
    check(equal(0), "p == &row");
    check(equal(4), "p == (char *)&row + 4");
    let null = |world: &mut World| {
        let (p, null) = (world.var("p"), world.program.terms.null());
        world.program.terms.eq(p, null)
    };
    check(null, "p == 0");
    check(relation(BinOp::PtrLt, "p", "q"), "(char *)p < (char *)q");
}

#[test]
fn memory_is_read_with_a_type() {
    let read = |at: fn(&mut World) -> Term, sort: Sort, value: i128| {
        move |world: &mut World| {
            let (mem, pointer) = (world.memory(), at(world));
            let read = world.program.terms.read(mem, pointer, sort);
            let value = world.bv(sort.width().expect("an integer"), value);
            world.program.terms.eq(read, value)
        }
    };
    let cell = |world: &mut World| world.address("cell");
    let row = |world: &mut World| {
        let row = world.address("row");
        world.program.terms.ptr_add_const(row, 12)
    };
    let through_p = |world: &mut World| {
        let p = world.var("p");
        world.program.terms.ptr_add_const(p, 4)
    };
    check(read(cell, Sort::Bv(32), -1), "cell == -1");
    check(read(cell, Sort::Bv(8), -1), "((signed char *)&cell)[0] == -1");
    check(read(row, Sort::Bv(32), 7), "((int *)&row)[3] == 7");
    check(read(row, Sort::Bv(64), 7), "*(long long *)((char *)&row + 12) == 7");
    check(read(through_p, Sort::Bv(32), 7), "*(int *)((char *)p + 4) == 7");
}

#[test]
fn what_c_cannot_say_is_text() {
    check_fallback(relation(BinOp::BvUdiv, "x", "u"), "bvudiv(x, u)");
    check_fallback(bound(BinOp::Eq, "%", 1), "eq(%, 1:bv32)");
    let heap = |world: &mut World| {
        let (number, offset) = (world.bv(32, 1 << 31), world.bv(32, 4));
        let pointer = world.binary(BinOp::PtrMake, number, offset);
        let p = world.var("p");
        world.program.terms.eq(p, pointer)
    };
    check_fallback(heap, "eq(p, ptrmake(2147483648:bv32, 4:bv32))");
}

/// Terms that C has no expression for count little, but those that it has must be many.
#[test]
fn gcc_computes_the_same_values() {
    let model = DataModel::Lp64;
    assert!(Gcc::is_available(model), "gcc is needed");
    let mut world = World::new(model);
    let mut random = fastrand::Rng::with_seed(7);
    let mut body = String::new();
    let mut written = 0;
    for number in 0..1500 {
        let width = [8, 16, 32, 32, 64][random.usize(0..5)];
        let is_condition = number % 2 == 0;
        let term = if is_condition {
            condition(&mut world, &mut random, 3)
        } else {
            integer(&mut world, &mut random, width, 3)
        };
        let values: Vec<u128> = INTEGERS.iter().map(|_| value(&mut random)).collect();
        let Some(text) = c_expr::expression(world.terms(), term) else {
            continue;
        };
        let folded = world.program.terms.substitute(term, |terms, var| {
            let (_, width, ..) = INTEGERS[var.as_u32() as usize];
            Some(terms.bv(width, values[var.as_u32() as usize]))
        });
        let terms = &world.program.terms;
        let expected = match terms.as_bool(folded) {
            Some(value) => u128::from(value),
            None => terms.as_bv(folded).expect("closed terms fold"),
        };
        for (at, (name, ..)) in INTEGERS.iter().enumerate() {
            let _ = write!(body, "{name} = (typeof({name})){}ULL; ", values[at] as u64);
        }
        let bits = if is_condition { 64 } else { width };
        let mask = u64::MAX >> (64 - bits);
        let _ = writeln!(
            body,
            "if (((unsigned long long)({text}) & {mask}ULL) != {expected}ULL) \
             __builtin_printf(\"%s\\n\", \"{text}\");"
        );
        written += 1;
    }
    assert!(written > 1000, "only {written} terms had an expression");
    let mut source = String::new();
    for (name, _, _, ty) in INTEGERS {
        let _ = writeln!(source, "volatile {ty} {name};");
    }
    let _ = writeln!(source, "int main(void) {{\n{body}}}");
    let execution =
        Gcc::new(model).run_all(&[source]).pop().expect("one program").expect("it runs");
    assert_eq!(String::from_utf8_lossy(&execution.stdout), "", "expressions with other values");
}

/// Small, large, and around powers of two.
fn value(random: &mut fastrand::Rng) -> u128 {
    match random.u8(0..4) {
        0 => u128::from(random.u8(0..4)),
        1 => u128::from(u64::MAX - u64::from(random.u8(0..4))),
        2 => (1u128 << random.u8(0..64)) - u128::from(random.bool()),
        _ => u128::from(random.u64(..)),
    }
}

fn integer(world: &mut World, random: &mut fastrand::Rng, width: u16, depth: u8) -> Term {
    if depth == 0 || random.u8(0..8) == 0 {
        if random.u8(0..3) == 0 {
            let value = value(random);
            return world.program.terms.bv(width, value);
        }
        let names: Vec<&str> =
            INTEGERS.iter().filter(|(_, own, ..)| *own == width).map(|(name, ..)| *name).collect();
        return world.var(names[random.usize(0..names.len())]);
    }
    match random.u8(0..8) {
        0 => {
            let op = if random.bool() { UnOp::BvNot } else { UnOp::BvNeg };
            let a = integer(world, random, width, depth - 1);
            world.unary(op, a)
        }
        1 if width > 8 => {
            let a = integer(world, random, width / 2, depth - 1);
            let op = if random.bool() { UnOp::ZeroExt(width) } else { UnOp::SignExt(width) };
            world.unary(op, a)
        }
        2 if width < 64 => {
            let a = integer(world, random, width * 2, depth - 1);
            let lo = if random.bool() { 0 } else { width };
            world.unary(UnOp::Extract { hi: lo + width - 1, lo }, a)
        }
        3 => {
            let cond = condition(world, random, depth - 1);
            let a = integer(world, random, width, depth - 1);
            let b = integer(world, random, width, depth - 1);
            world.program.terms.ite(cond, a, b)
        }
        4 => {
            let op = [BinOp::BvShl, BinOp::BvLshr, BinOp::BvAshr][random.usize(0..3)];
            let a = integer(world, random, width, depth - 1);
            let amount = world.bv(width, random.u16(0..width).into());
            world.binary(op, a, amount)
        }
        5 => {
            let ops = [BinOp::BvUdiv, BinOp::BvSdiv, BinOp::BvUrem, BinOp::BvSrem];
            let a = integer(world, random, width, depth - 1);
            let by = world.bv(width, random.u8(1..120).into());
            world.binary(ops[random.usize(0..4)], a, by)
        }
        6 if width > 8 => {
            let a = integer(world, random, width / 2, depth - 1);
            let b = integer(world, random, width / 2, depth - 1);
            world.binary(BinOp::Concat, a, b)
        }
        _ => {
            let ops =
                [BinOp::BvAdd, BinOp::BvSub, BinOp::BvMul, BinOp::BvAnd, BinOp::BvOr, BinOp::BvXor];
            let a = integer(world, random, width, depth - 1);
            let b = integer(world, random, width, depth - 1);
            world.binary(ops[random.usize(0..6)], a, b)
        }
    }
}

fn condition(world: &mut World, random: &mut fastrand::Rng, depth: u8) -> Term {
    if depth > 0 && random.u8(0..3) == 0 {
        let a = condition(world, random, depth - 1);
        let b = condition(world, random, depth - 1);
        let terms = &mut world.program.terms;
        return match random.u8(0..4) {
            0 => terms.and(a, b),
            1 => terms.or(a, b),
            2 => terms.eq(a, b),
            _ => terms.not(a),
        };
    }
    let ops = [BinOp::Eq, BinOp::BvUlt, BinOp::BvUle, BinOp::BvSlt, BinOp::BvSle];
    let width = [8, 16, 32, 64][random.usize(0..4)];
    let depth = depth.saturating_sub(1);
    let a = integer(world, random, width, depth);
    let b = integer(world, random, width, depth);
    world.binary(ops[random.usize(0..5)], a, b)
}
