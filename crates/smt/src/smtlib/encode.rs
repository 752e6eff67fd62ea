//! Terms as SMT-LIB 2 text.
//!
//! A term whose text is short stands for itself wherever it is used. All others are defined once,
//! under a name, so that the text is linear in the size of the term's graph, however often parts of
//! it are shared, and nests a few levels only, however deep the term is.
//!
//! Sorts and operators: bit-vectors and Booleans are SMT-LIB's own; floats are IEEE floats, where
//! all NaNs are one; a pointer is a bit-vector of the object's number and the offset; a memory is a
//! pair of arrays from pointers, one to the bytes, one to the pointer last written there. Where
//! C's meaning depends on what the logic does not have, such as the bits of a NaN or the
//! addresses of objects, constants and functions without definition stand in: every real value is
//! among theirs.

use std::fmt::Write;

use ravelin_base::EntityRef;
use ravelin_term::{BinOp, FloatKind, Rounding, Sort, Term, TermKind, TermPool, UnOp, bin_ops};
use rustc_hash::{FxHashMap, FxHashSet};

use super::literal;
use super::prelude::{OBJECT_BITS, float_sort, fmod};

/// The longest text, in bytes, that is repeated rather than defined.
const MAX_INLINE: usize = 48;

/// The text that stands for a term.
#[derive(Clone, Debug)]
pub(super) enum Encoded {
    Value(Box<str>),
    Memory { bytes: Box<str>, pointers: Box<str> },
}

/// Knows what a script has declared and defined. The methods that add to the script append the
/// commands to `out`.
#[derive(Debug)]
pub(super) struct Encoder {
    pointer_bits: u16,
    done: FxHashMap<Term, Encoded>,
    /// The assumptions that have a literal.
    assumed: FxHashSet<Term>,
    /// The keys of `done` and of `assumed`, in order of their coming, so that a scope's can be
    /// forgotten.
    done_order: Vec<Term>,
    assumed_order: Vec<Term>,
    scopes: Vec<Mark>,
}

/// How much there was when a scope was opened.
#[derive(Clone, Copy, Debug)]
struct Mark {
    done: usize,
    assumed: usize,
}

impl Encoder {
    /// For a script that has only the prelude.
    pub(super) fn new(pointer_bits: u16) -> Self {
        Encoder {
            pointer_bits,
            done: FxHashMap::default(),
            assumed: FxHashSet::default(),
            done_order: Vec::new(),
            assumed_order: Vec::new(),
            scopes: Vec::new(),
        }
    }

    /// Opens a scope in the script.
    pub(super) fn push(&mut self, out: &mut String) {
        out.push_str("(push 1)\n");
        self.scopes.push(Mark { done: self.done_order.len(), assumed: self.assumed_order.len() });
    }

    /// Closes the innermost scope, and with it forgets what was declared and defined inside.
    pub(super) fn pop(&mut self, out: &mut String) {
        let Some(mark) = self.scopes.pop() else { return };
        out.push_str("(pop 1)\n");
        for term in self.done_order.drain(mark.done..) {
            self.done.remove(&term);
        }
        for term in self.assumed_order.drain(mark.assumed..) {
            self.assumed.remove(&term);
        }
    }

    /// Asserts a Boolean term.
    pub(super) fn assert(&mut self, pool: &TermPool, term: Term, out: &mut String) {
        self.encode(pool, term, out);
        command(out, format_args!("(assert {})", self.text(term)));
    }

    /// Declares the constant [`assumption_name`], which implies the term, unless it is there: solvers
    /// take nothing but constants as assumptions. The script must know the term.
    pub(super) fn assume(&mut self, term: Term, out: &mut String) {
        if self.assumed.insert(term) {
            self.assumed_order.push(term);
            let name = assumption_name(term);
            command(out, format_args!("(declare-const {name} Bool)"));
            command(out, format_args!("(assert (=> {name} {}))", self.text(term)));
        }
    }

    /// Whether the term has operations that the script does not know yet and that are large circuits
    /// or not bit-vector operations at all.
    pub(super) fn has_costly_operations(&self, pool: &TermPool, term: Term) -> bool {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut work = vec![term];
        while let Some(next) = work.pop() {
            if self.done.contains_key(&next) || !seen.insert(next) {
                continue;
            }
            let is_large = matches!(
                pool.kind(next),
                TermKind::Binary(bin_ops!(bv_division) | BinOp::BvMul, ..)
            );
            match pool.sort(next) {
                Sort::Bool | Sort::Bv(_) if !is_large => work.extend(pool.children(next)),
                Sort::Bool | Sort::Bv(_) | Sort::Float(_) | Sort::Ptr | Sort::Mem => return true,
            }
        }
        false
    }

    /// The text of a term that the script knows.
    pub(super) fn get(&self, term: Term) -> Option<&Encoded> {
        self.done.get(&term)
    }

    /// Makes sure that the script knows the term, without recursion: terms of generated programs nest
    /// deeper than a stack is.
    pub(super) fn encode(&mut self, pool: &TermPool, term: Term, out: &mut String) {
        let is_done = |this: &Self, term| this.done.contains_key(&term);
        pool.for_each_operands_first(term, self, is_done, |this, next| {
            let encoded = this.encode_node(pool, next, out);
            this.done.insert(next, encoded);
            this.done_order.push(next);
        });
    }

    /// The text of a term whose subterms have theirs.
    fn encode_node(&self, pool: &TermPool, term: Term, out: &mut String) -> Encoded {
        let node = Node { name: format!("t{}", term.index()), sort: pool.sort(term) };
        let text = match pool.kind(term) {
            TermKind::Bool(value) => value.to_string(),
            TermKind::Bv(value) => literal::bv(self.width(node.sort), value),
            TermKind::Float(bits) => match node.sort {
                Sort::Float(kind) => literal::float(kind, bits),
                Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem => {
                    unreachable!("a float constant of sort {}", node.sort)
                }
            },
            TermKind::Null => literal::bv(self.width(Sort::Ptr), 0),
            TermKind::Var(var) => {
                let name = format!("v{}.{}", var.index(), node.sort);
                return self.declare_variable(&name, node.sort, out);
            }
            TermKind::Address(object) => {
                // The number 0 is no object.
                let number = u128::from(object.as_u32()) + 1;
                literal::bv(self.width(Sort::Ptr), number << self.pointer_bits)
            }
            TermKind::Unary(op, a) => self.unary(&node, op, a, pool.sort(a), out),
            TermKind::Binary(op, a, b) => self.binary(op, a, b, pool.sort(a)),
            TermKind::Ite(cond, a, b) if node.sort == Sort::Mem => {
                return self.memory_ite(&node, [cond, a, b], out);
            }
            TermKind::Ite(cond, a, b) => {
                format!("(ite {} {} {})", self.text(cond), self.text(a), self.text(b))
            }
            TermKind::Read(memory, pointer) => self.read(memory, self.text(pointer), node.sort),
            TermKind::Write(memory, pointer, value) => {
                return self.write(&node, [memory, pointer, value], pool.sort(value), out);
            }
        };
        Encoded::Value(define(out, &node.name, &self.sort(node.sort), text))
    }

    fn text(&self, term: Term) -> &str {
        match &self.done[&term] {
            Encoded::Value(text) => text,
            Encoded::Memory { .. } => unreachable!("a memory where a value belongs"),
        }
    }

    /// The two arrays of a memory: the bytes, and the pointers.
    fn memory(&self, term: Term) -> [&str; 2] {
        match &self.done[&term] {
            Encoded::Memory { bytes, pointers } => [bytes, pointers],
            Encoded::Value(_) => unreachable!("a value where a memory belongs"),
        }
    }

    /// The width of the bit-vector that stands for a term of the sort.
    fn width(&self, sort: Sort) -> u16 {
        match sort {
            Sort::Bv(width) => width,
            Sort::Float(kind) => kind.bits(),
            Sort::Ptr => OBJECT_BITS + self.pointer_bits,
            Sort::Bool | Sort::Mem => unreachable!("{sort} is no sort of bit-vectors"),
        }
    }

    fn sort(&self, sort: Sort) -> String {
        match sort {
            Sort::Bool => "Bool".to_owned(),
            Sort::Bv(width) => bv_sort(width),
            Sort::Float(kind) => float_sort(kind),
            Sort::Ptr => "Ptr".to_owned(),
            Sort::Mem => unreachable!("a memory has two sorts"),
        }
    }

    fn declare_variable(&self, name: &str, sort: Sort, out: &mut String) -> Encoded {
        if sort == Sort::Mem {
            let pointers = format!("{name}.ptr");
            declare(out, name, BYTES);
            declare(out, &pointers, POINTERS);
            return Encoded::Memory { bytes: name.into(), pointers: pointers.into() };
        }
        declare(out, name, &self.sort(sort));
        Encoded::Value(name.into())
    }

    fn unary(&self, node: &Node, op: UnOp, a: Term, from: Sort, out: &mut String) -> String {
        let a = self.text(a);
        match op {
            UnOp::Not => format!("(not {a})"),
            UnOp::BvNot => format!("(bvnot {a})"),
            UnOp::BvNeg => format!("(bvneg {a})"),
            UnOp::ZeroExt(to) => format!("((_ zero_extend {}) {a})", to - self.width(from)),
            UnOp::SignExt(to) => format!("((_ sign_extend {}) {a})", to - self.width(from)),
            UnOp::Extract { hi, lo } => format!("((_ extract {hi} {lo}) {a})"),
            UnOp::FNeg => format!("(fp.neg {a})"),
            UnOp::FAbs => format!("(fp.abs {a})"),
            UnOp::FSqrt => format!("(fp.sqrt RNE {a})"),
            UnOp::FRound(rounding) => format!("(fp.roundToIntegral {} {a})", mode(rounding)),
            UnOp::FIsNan => format!("(fp.isNaN {a})"),
            UnOp::FIsInf => format!("(fp.isInfinite {a})"),
            UnOp::FIsNegative => {
                let sign = node.declare("sign", "Bool", out);
                format!("(ite (fp.isNaN {a}) {sign} (fp.isNegative {a}))")
            }
            UnOp::FToF(to) | UnOp::SToF(to) => format!("((_ to_fp {}) RNE {a})", format(to)),
            UnOp::UToF(to) => format!("((_ to_fp_unsigned {}) RNE {a})", format(to)),
            UnOp::FToS(width) => {
                let smallest = literal::bv(width, 1 << (width - 1));
                let kind = float_kind(from);
                let low = literal::power_of_two(kind, width - 1, true);
                let high = literal::power_of_two(kind, width - 1, false);
                let fits = fits(a, low.as_deref(), high.as_deref());
                format!("(ite {fits} ((_ fp.to_sbv {width}) RTZ {a}) {smallest})")
            }
            UnOp::FToU(width) => {
                let any = node.declare("any", &bv_sort(width), out);
                let kind = float_kind(from);
                let zero = literal::float(kind, 0);
                let high = literal::power_of_two(kind, width, false);
                let fits = fits(a, Some(&zero), high.as_deref());
                format!("(ite {fits} ((_ fp.to_ubv {width}) RTZ {a}) {any})")
            }
            UnOp::FToBits => node.declare_bits(a, float_kind(from), out),
            UnOp::BitsToF(kind) => float_of_bits(kind, a),
            UnOp::PtrToInt => format!("(ptr.int {a})"),
            UnOp::PtrObject => format!("(ptr.obj {a})"),
            UnOp::PtrOffset => format!("(ptr.off {a})"),
            UnOp::IntToPtr => format!("(ptr.of {a})"),
        }
    }

    fn binary(&self, op: BinOp, a: Term, b: Term, sort: Sort) -> String {
        if op == BinOp::Eq && sort == Sort::Mem {
            let ([bytes_a, pointers_a], [bytes_b, pointers_b]) = (self.memory(a), self.memory(b));
            return format!("(and (= {bytes_a} {bytes_b}) (= {pointers_a} {pointers_b}))");
        }
        let name = match op {
            // The text format has the names of SMT-LIB.
            bin_ops!(logic, bv_arithmetic, bv_division, bv_order) => op.name(),
            BinOp::Eq => "=",
            BinOp::Concat | BinOp::PtrMake => "concat",
            BinOp::FAdd => "fp.add RNE",
            BinOp::FSub => "fp.sub RNE",
            BinOp::FMul => "fp.mul RNE",
            BinOp::FDiv => "fp.div RNE",
            BinOp::FRem => &fmod(float_kind(sort)),
            BinOp::FEq => "fp.eq",
            BinOp::FLt => "fp.lt",
            BinOp::FLe => "fp.leq",
            BinOp::PtrAdd => "ptr.add",
            BinOp::PtrDiff => "ptr.diff",
            BinOp::PtrLt => "ptr.lt",
            BinOp::PtrLe => "ptr.le",
        };
        format!("({name} {} {})", self.text(a), self.text(b))
    }

    fn memory_ite(&self, node: &Node, [cond, a, b]: [Term; 3], out: &mut String) -> Encoded {
        let ([bytes_a, pointers_a], [bytes_b, pointers_b]) = (self.memory(a), self.memory(b));
        let cond = self.text(cond);
        let bytes = format!("(ite {cond} {bytes_a} {bytes_b})");
        let pointers = format!("(ite {cond} {pointers_a} {pointers_b})");
        node.define_memory(bytes, pointers, out)
    }

    /// What the known memory holds at the pointer with the given text.
    pub(super) fn read(&self, memory: Term, pointer: &str, sort: Sort) -> String {
        let [bytes, pointers] = self.memory(memory);
        let width = if sort == Sort::Ptr { self.pointer_bits } else { self.width(sort) };
        let mut value = String::new();
        // The operator takes two operands, so the higher bytes open a parenthesis each.
        for index in (0..width / 8).rev() {
            let at = self.moved(pointer, index);
            let open = if index == 0 { " " } else { " (concat " };
            let _ = write!(value, "{open}(select {bytes} {at})");
        }
        value.push_str(&")".repeat(usize::from(width / 8).saturating_sub(1)));
        let value = value.trim_start();
        match sort {
            Sort::Float(kind) => float_of_bits(kind, value),
            Sort::Ptr => format!("(ptr.load {value} (select {pointers} {pointer}))"),
            Sort::Bv(_) | Sort::Bool | Sort::Mem => value.to_owned(),
        }
    }

    fn write(
        &self,
        node: &Node,
        [memory, pointer, value]: [Term; 3],
        sort: Sort,
        out: &mut String,
    ) -> Encoded {
        let ([bytes, pointers], pointer, value) =
            (self.memory(memory), self.text(pointer), self.text(value));
        let (bits, width) = match sort {
            Sort::Float(kind) => (node.declare_bits(value, kind, out), kind.bits()),
            Sort::Ptr => {
                let (name, sort) = (format!("{}.int", node.name), bv_sort(self.pointer_bits));
                let text = define(out, &name, &sort, format!("(ptr.int {value})"));
                (text.into(), self.pointer_bits)
            }
            Sort::Bv(_) | Sort::Bool | Sort::Mem => (value.to_owned(), self.width(sort)),
        };
        let mut stored = "(store ".repeat(usize::from(width / 8));
        stored.push_str(bytes);
        for index in 0..width / 8 {
            let (high, low) = (8 * index + 7, 8 * index);
            let at = self.moved(pointer, index);
            let _ = write!(stored, " {at} ((_ extract {high} {low}) {bits}))");
        }
        let pointers = match sort {
            Sort::Ptr => format!("(store {pointers} {pointer} {value})"),
            Sort::Bv(_) | Sort::Float(_) | Sort::Bool | Sort::Mem => pointers.to_owned(),
        };
        node.define_memory(stored, pointers, out)
    }

    /// The pointer some bytes on.
    fn moved(&self, pointer: &str, bytes: u16) -> String {
        match bytes {
            0 => pointer.to_owned(),
            _ => {
                let bytes = literal::bv(self.pointer_bits, u128::from(bytes));
                format!("(ptr.add {pointer} {bytes})")
            }
        }
    }
}

/// The constant that stands for a term as an assumption.
pub(super) fn assumption_name(term: Term) -> String {
    format!("a{}", term.index())
}

const BYTES: &str = "(Array Ptr (_ BitVec 8))";
const POINTERS: &str = "(Array Ptr Ptr)";

/// A term that is being encoded.
struct Node {
    /// For its definition, and with a suffix for the constants that only it uses.
    name: String,
    sort: Sort,
}

impl Node {
    fn declare(&self, suffix: &str, sort: &str, out: &mut String) -> String {
        let name = format!("{}.{suffix}", self.name);
        declare(out, &name, sort);
        name
    }

    /// Any bits that are those of a float: of a NaN there are many.
    fn declare_bits(&self, float: &str, kind: FloatKind, out: &mut String) -> String {
        let bits = self.declare("bits", &bv_sort(kind.bits()), out);
        command(out, format_args!("(assert (= {} {float}))", float_of_bits(kind, &bits)));
        bits
    }

    fn define_memory(&self, bytes: String, pointers: String, out: &mut String) -> Encoded {
        Encoded::Memory {
            bytes: define(out, &self.name, BYTES, bytes),
            pointers: define(out, &format!("{}.ptr", self.name), POINTERS, pointers),
        }
    }
}

/// The text itself if it is short, and otherwise the name, which then is defined as the text.
fn define(out: &mut String, name: &str, sort: &str, text: String) -> Box<str> {
    if text.len() <= MAX_INLINE {
        return text.into();
    }
    command(out, format_args!("(define-fun {name} () {sort} {text})"));
    name.into()
}

fn declare(out: &mut String, name: &str, sort: &str) {
    command(out, format_args!("(declare-const {name} {sort})"));
}

fn command(out: &mut String, command: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{command}");
}

fn bv_sort(width: u16) -> String {
    format!("(_ BitVec {width})")
}

/// The parameters of conversions to a float sort.
fn format(kind: FloatKind) -> String {
    let (exponent_bits, significand_bits) = literal::float_format(kind);
    format!("{exponent_bits} {significand_bits}")
}

fn float_kind(sort: Sort) -> FloatKind {
    match sort {
        Sort::Float(kind) => kind,
        Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem => unreachable!("{sort} is no float sort"),
    }
}

fn float_of_bits(kind: FloatKind, bits: &str) -> String {
    match kind {
        FloatKind::F80 => format!("(f80.of {bits})"),
        FloatKind::F32 | FloatKind::F64 | FloatKind::F128 => {
            format!("((_ to_fp {}) {bits})", format(kind))
        }
    }
}

/// Whether a float, its fraction cut off, is at least `low` and below `high`; a bound that is missing
/// lies beyond all finite floats.
fn fits(float: &str, low: Option<&str>, high: Option<&str>) -> String {
    let whole = format!("(fp.roundToIntegral RTZ {float})");
    let low = low.map_or_else(String::new, |low| format!(" (fp.leq {low} {whole})"));
    let high = high.map_or_else(
        || format!(" (not (fp.isInfinite {float})) (not (fp.isNaN {float}))"),
        |high| format!(" (fp.lt {whole} {high})"),
    );
    format!("(and{low}{high})")
}

fn mode(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Floor => "RTN",
        Rounding::Ceil => "RTP",
        Rounding::Trunc => "RTZ",
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use ravelin_term::{Object, Var};

    use super::*;

    /// The commands that assert what `build` makes of variables.
    fn check<const N: usize>(
        sorts: [Sort; N],
        build: impl FnOnce(&mut TermPool, [Term; N]) -> Term,
        expected: Expect,
    ) {
        let pool = &mut TermPool::new(32);
        let mut index = 0;
        let vars = sorts.map(|sort| {
            index += 1;
            pool.var(Var::new(index), sort)
        });
        let term = build(pool, vars);
        let mut out = String::new();
        Encoder::new(32).assert(pool, term, &mut out);
        expected.assert_eq(&out);
    }

    #[test]
    fn short_terms_are_written_in_place_and_long_ones_defined() {
        check(
            [Sort::Bv(8), Sort::Bv(8)],
            |pool, [x, y]| {
                let sum = pool.binary(BinOp::BvAdd, x, y);
                let product = pool.binary(BinOp::BvMul, sum, sum);
                let square = pool.binary(BinOp::BvMul, product, product);
                pool.binary(BinOp::BvUlt, square, product)
            },
            expect![[r#"
                (declare-const v2.bv8 (_ BitVec 8))
                (declare-const v1.bv8 (_ BitVec 8))
                (define-fun t3 () (_ BitVec 8) (bvmul (bvadd v1.bv8 v2.bv8) (bvadd v1.bv8 v2.bv8)))
                (assert (bvult (bvmul t3 t3) t3))
            "#]],
        );
    }

    #[test]
    fn memory_is_a_pair_of_arrays() {
        check(
            [Sort::Mem, Sort::Ptr, Sort::Bv(16)],
            |pool, [memory, pointer, value]| {
                let elsewhere = pool.address(Object::new(4));
                let written = pool.write(memory, pointer, value);
                let written = pool.write(written, elsewhere, pointer);
                pool.eq(memory, written)
            },
            expect![[r#"
                (declare-const v2.ptr Ptr)
                (declare-const v3.bv16 (_ BitVec 16))
                (declare-const v1.mem (Array Ptr (_ BitVec 8)))
                (declare-const v1.mem.ptr (Array Ptr Ptr))
                (define-fun t4 () (Array Ptr (_ BitVec 8)) (store (store v1.mem v2.ptr ((_ extract 7 0) v3.bv16)) (ptr.add v2.ptr #x00000001) ((_ extract 15 8) v3.bv16)))
                (define-fun t5 () (Array Ptr (_ BitVec 8)) (store (store (store (store t4 #x0000000500000000 ((_ extract 7 0) (ptr.int v2.ptr))) (ptr.add #x0000000500000000 #x00000001) ((_ extract 15 8) (ptr.int v2.ptr))) (ptr.add #x0000000500000000 #x00000002) ((_ extract 23 16) (ptr.int v2.ptr))) (ptr.add #x0000000500000000 #x00000003) ((_ extract 31 24) (ptr.int v2.ptr))))
                (define-fun t6 () Bool (and (= v1.mem t5) (= v1.mem.ptr (store v1.mem.ptr #x0000000500000000 v2.ptr))))
                (assert t6)
            "#]],
        );
        check(
            [Sort::Mem, Sort::Ptr, Sort::Ptr],
            |pool, [memory, pointer, expected]| {
                let held = pool.read(memory, pointer, Sort::Ptr);
                pool.eq(held, expected)
            },
            expect![[r#"
                (declare-const v2.ptr Ptr)
                (declare-const v1.mem (Array Ptr (_ BitVec 8)))
                (declare-const v1.mem.ptr (Array Ptr Ptr))
                (define-fun t4 () Ptr (ptr.load (concat (select v1.mem (ptr.add v2.ptr #x00000003)) (concat (select v1.mem (ptr.add v2.ptr #x00000002)) (concat (select v1.mem (ptr.add v2.ptr #x00000001)) (select v1.mem v2.ptr)))) (select v1.mem.ptr v2.ptr)))
                (declare-const v3.ptr Ptr)
                (assert (= v3.ptr t4))
            "#]],
        );
    }

    #[test]
    fn what_the_logic_lacks_is_a_constant() {
        check(
            [Sort::Float(FloatKind::F32)],
            |pool, [x]| {
                let bits = pool.unary(UnOp::FToBits, x);
                let cut = pool.unary(UnOp::FToU(32), x);
                pool.eq(bits, cut)
            },
            expect![[r#"
                (declare-const v1.f32 (_ FloatingPoint 8 24))
                (declare-const t1.bits (_ BitVec 32))
                (assert (= ((_ to_fp 8 24) t1.bits) v1.f32))
                (declare-const t2.any (_ BitVec 32))
                (define-fun t2 () (_ BitVec 32) (ite (and (fp.leq (_ +zero 8 24) (fp.roundToIntegral RTZ v1.f32)) (fp.lt (fp.roundToIntegral RTZ v1.f32) (fp #b0 #x9f #b00000000000000000000000))) ((_ fp.to_ubv 32) RTZ v1.f32) t2.any))
                (assert (= t2 t1.bits))
            "#]],
        );
        check(
            [Sort::Float(FloatKind::F64)],
            |pool, [x]| pool.unary(UnOp::FIsNegative, x),
            expect![[r#"
                (declare-const v1.f64 (_ FloatingPoint 11 53))
                (declare-const t1.sign Bool)
                (define-fun t1 () Bool (ite (fp.isNaN v1.f64) t1.sign (fp.isNegative v1.f64)))
                (assert t1)
            "#]],
        );
    }

    #[test]
    fn out_of_range_is_the_smallest_number() {
        check(
            [Sort::Float(FloatKind::F32), Sort::Bv(8)],
            |pool, [x, y]| {
                let cut = pool.unary(UnOp::FToS(8), x);
                pool.eq(cut, y)
            },
            expect![[r#"
                (declare-const v1.f32 (_ FloatingPoint 8 24))
                (define-fun t2 () (_ BitVec 8) (ite (and (fp.leq (fp #b1 #x86 #b00000000000000000000000) (fp.roundToIntegral RTZ v1.f32)) (fp.lt (fp.roundToIntegral RTZ v1.f32) (fp #b0 #x86 #b00000000000000000000000))) ((_ fp.to_sbv 8) RTZ v1.f32) #x80))
                (declare-const v2.bv8 (_ BitVec 8))
                (assert (= v2.bv8 t2))
            "#]],
        );
    }

    #[test]
    fn a_scope_takes_its_definitions_along() {
        let pool = &mut TermPool::new(32);
        let x = pool.var(Var::new(0), Sort::Bool);
        let mut encoder = Encoder::new(32);
        let mut out = String::new();
        encoder.push(&mut out);
        encoder.assert(pool, x, &mut out);
        encoder.assert(pool, x, &mut out);
        encoder.pop(&mut out);
        encoder.assert(pool, x, &mut out);
        encoder.assume(x, &mut out);
        encoder.assume(x, &mut out);
        expect![[r#"
            (push 1)
            (declare-const v0.bool Bool)
            (assert v0.bool)
            (assert v0.bool)
            (pop 1)
            (declare-const v0.bool Bool)
            (assert v0.bool)
            (declare-const a0 Bool)
            (assert (=> a0 v0.bool))
        "#]]
        .assert_eq(&out);
    }
}
