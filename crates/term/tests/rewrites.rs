//! Single operations before and after the builders' rewrites.

use ravelin_base::EntityRef;
use ravelin_term::text::Indices;
use ravelin_term::{
    BinOp, DYNAMIC_OBJECTS, FloatKind, Object, Overlap, Sort, Term, TermPool, UnOp, Var,
};

/// A pool with short names for the terms of the tests.
struct Bench {
    pool: TermPool,
    /// Memories.
    m: Term,
    n: Term,
    /// Pointers.
    p: Term,
    q: Term,
    /// Offsets, 64 bits.
    i: Term,
    /// Conditions.
    c: Term,
    d: Term,
    /// 32 bits.
    x: Term,
    y: Term,
}

impl Bench {
    fn new() -> Self {
        let mut pool = TermPool::new(64);
        let sorts = [
            Sort::Mem,
            Sort::Mem,
            Sort::Ptr,
            Sort::Ptr,
            Sort::Bv(64),
            Sort::Bool,
            Sort::Bool,
            Sort::Bv(32),
            Sort::Bv(32),
        ];
        let mut vars = sorts.into_iter().enumerate();
        let mut var = || {
            let (index, sort) = vars.next().expect("as many sorts as variables");
            pool.var(Var::new(index), sort)
        };
        let [m, n, p, q, i, c, d, x, y] = std::array::from_fn(|_| var());
        Bench { pool, m, n, p, q, i, c, d, x, y }
    }

    fn object(&mut self, index: usize, offset: u64) -> Term {
        let address = self.pool.address(Object::new(index));
        self.pool.ptr_add_const(address, offset)
    }

    fn heap(&mut self, index: u32, offset: u64) -> Term {
        let number = self.pool.bv(32, u128::from(DYNAMIC_OBJECTS + index));
        let offset = self.pool.offset(offset);
        self.pool.binary(BinOp::PtrMake, number, offset)
    }

    fn int(&mut self, value: u128) -> Term {
        self.pool.bv(32, value)
    }

    fn read(&mut self, mem: Term, pointer: Term) -> Term {
        self.pool.read(mem, pointer, Sort::Bv(32))
    }

    fn text(&self, term: Term) -> String {
        let mut text = String::new();
        self.pool.print(&mut text, term, &Indices).expect("strings take all writes");
        text
    }

    #[track_caller]
    fn check(&self, term: Term, expected: &str) {
        assert_eq!(self.text(term), expected);
    }
}

#[test]
fn reads_find_what_was_written_there() {
    let mut b = Bench::new();
    let (first, second) = (b.object(0, 0), b.object(1, 8));
    let heap = b.heap(0, 4);
    let mem = b.pool.write(b.m, first, b.x);
    let mem = b.pool.write(mem, second, b.y);
    let seven = b.int(7);
    let mem = b.pool.write(mem, heap, seven);

    let found = b.read(mem, first);
    b.check(found, "v7");
    let found = b.read(mem, second);
    b.check(found, "v8");
    let found = b.read(mem, heap);
    b.check(found, "7:bv32");
    let other = b.heap(1, 4);
    let found = b.read(mem, other);
    b.check(found, "read[bv32](v0, ptrmake(2147483649:bv32, 4:bv64))");
    // A pointer that may be any of them.
    let found = b.read(mem, b.p);
    assert!(b.text(found).starts_with("read[bv32](write("));
}

#[test]
fn offsets_decide_within_one_object() {
    let mut b = Bench::new();
    // p[i], p[i + 1]; i is scaled by 4.
    let four = b.pool.offset(4);
    let scaled = b.pool.binary(BinOp::BvMul, b.i, four);
    let one = b.pool.offset(1);
    let next = b.pool.binary(BinOp::BvAdd, b.i, one);
    let scaled_next = b.pool.binary(BinOp::BvMul, next, four);
    let (here, there) = (b.pool.ptr_add(b.p, scaled), b.pool.ptr_add(b.p, scaled_next));
    let mem = b.pool.write(b.m, here, b.x);
    let mem = b.pool.write(mem, there, b.y);
    let found = b.read(mem, here);
    b.check(found, "v7");
    let found = b.read(mem, there);
    b.check(found, "v8");
    // Another index may be the same.
    let found = b.read(mem, b.p);
    assert!(b.text(found).starts_with("read[bv32](write("));
}

#[test]
fn multiples_decide_between_fields() {
    let mut b = Bench::new();
    // a[i].x and a[j].y with elements of 8 bytes: never the same.
    let j = b.pool.var(Var::new(30), Sort::Bv(64));
    let eight = b.pool.offset(8);
    let [i8, j8] = [b.i, j].map(|index| b.pool.binary(BinOp::BvMul, index, eight));
    let array = b.object(0, 0);
    let (x_of_i, element_j) = (b.pool.ptr_add(array, i8), b.pool.ptr_add(array, j8));
    let y_of_j = b.pool.ptr_add_const(element_j, 4);
    let mem = b.pool.write(b.m, x_of_i, b.x);
    let mem = b.pool.write(mem, y_of_j, b.y);
    let found = b.read(mem, x_of_i);
    b.check(found, "v7");
    let found = b.read(mem, element_j);
    assert!(b.text(found).starts_with("read[bv32](write(v0, "), "a[j].x may be a[i].x");
    assert_eq!(b.pool.overlap(x_of_i, 4, element_j, 4), Overlap::Aligned);
    assert_eq!(b.pool.overlap(x_of_i, 4, y_of_j, 4), Overlap::None);
    assert_eq!(b.pool.overlap(x_of_i, 5, y_of_j, 4), Overlap::Unknown);
}

#[test]
fn parts_of_values_are_read() {
    let mut b = Bench::new();
    let (at, inner) = (b.object(0, 4), b.object(0, 6));
    let mem = b.pool.write(b.m, at, b.x);
    let found = b.pool.read(mem, inner, Sort::Bv(8));
    b.check(found, "extract[23:16](v7)");
    // From two writes, and with what is below.
    let next = b.object(0, 8);
    let both = b.pool.write(mem, next, b.y);
    let found = b.pool.read(both, at, Sort::Bv(64));
    b.check(found, "concat(v8, v7)");
    let found = b.read(both, inner);
    b.check(found, "concat(extract[15:0](v8), extract[31:16](v7))");
    let before = b.object(0, 2);
    let found = b.read(both, before);
    b.check(found, "concat(extract[15:0](v7), read[bv16](v0, ptradd(&o0, 2:bv64)))");
}

#[test]
fn values_come_back_byte_by_byte() {
    let mut b = Bench::new();
    let mut mem = b.n;
    let source = b.object(0, 0);
    let from = b.pool.write(b.m, source, b.p);
    for index in 0..8 {
        let (from_byte, to_byte) = (b.object(0, index), b.object(1, index));
        let byte = b.pool.read(from, from_byte, Sort::Bv(8));
        mem = b.pool.write(mem, to_byte, byte);
    }
    let to = b.object(1, 0);
    let found = b.pool.read(mem, to, Sort::Ptr);
    assert_eq!(found, b.p);
}

#[test]
fn values_change_their_sort_on_the_way() {
    let mut b = Bench::new();
    let at = b.object(0, 0);
    let float = b.pool.var(Var::new(20), Sort::Float(FloatKind::F32));
    let mem = b.pool.write(b.m, at, float);
    let found = b.read(mem, at);
    b.check(found, "ftobits(v20)");
    let found = b.pool.read(mem, at, Sort::Float(FloatKind::F32));
    b.check(found, "v20");
    let mem = b.pool.write(b.m, at, b.x);
    let found = b.pool.read(mem, at, Sort::Float(FloatKind::F32));
    b.check(found, "bitstof[f32](v7)");
    let mem = b.pool.write(b.m, at, b.p);
    let found = b.pool.read(mem, at, Sort::Bv(64));
    b.check(found, "ptrtoint(v2)");
    let zero = b.pool.bv(64, 0);
    let mem = b.pool.write(b.m, at, zero);
    let found = b.pool.read(mem, at, Sort::Ptr);
    b.check(found, "null");
}

#[test]
fn choices_move_out_of_reads() {
    let mut b = Bench::new();
    let (first, second) = (b.object(0, 0), b.object(1, 0));
    let mem = b.pool.write(b.m, first, b.x);
    let mem = b.pool.write(mem, second, b.y);
    let either = b.pool.ite(b.c, first, second);
    let found = b.read(mem, either);
    b.check(found, "ite(v5, v7, v8)");
    let moved = b.pool.ptr_add_const(either, 4);
    let found = b.read(mem, moved);
    b.check(
        found,
        "ite(v5, read[bv32](v0, ptradd(&o0, 4:bv64)), read[bv32](v0, ptradd(&o1, 4:bv64)))",
    );
    // One of two memories: where they differ, and where not.
    let changed = b.pool.write(mem, first, b.y);
    let joined = b.pool.ite(b.d, changed, mem);
    let found = b.read(joined, first);
    b.check(found, "ite(v6, v8, v7)");
    let found = b.read(joined, second);
    b.check(found, "v8");
    // Neither memory lets this read pass, so it stays whole.
    let found = b.read(joined, b.p);
    assert!(b.text(found).starts_with("read[bv32](ite("));
    // A write to either of two places is not to a third.
    let mem = b.pool.write(b.m, either, b.x);
    let third = b.object(2, 0);
    let found = b.read(mem, third);
    b.check(found, "read[bv32](v0, &o2)");
}

#[test]
fn writes_replace_those_they_make_void() {
    let mut b = Bench::new();
    let (first, second) = (b.object(0, 0), b.object(0, 4));
    let mem = b.pool.write(b.m, first, b.x);
    let mem = b.pool.write(mem, second, b.x);
    let mem = b.pool.write(mem, first, b.y);
    b.check(mem, "write(write(v0, ptradd(&o0, 4:bv64), v7), &o0, v8)");
    // A wider value covers both; the same value again changes nothing.
    let wide = b.pool.write(mem, first, b.i);
    b.check(wide, "write(v0, &o0, v4)");
    assert_eq!(b.pool.write(wide, first, b.i), wide);
    let kept = b.read(b.m, b.p);
    assert_eq!(b.pool.write(b.m, b.p, kept), b.m);
    // A write that may be to the same place keeps what is below.
    let mem = b.pool.write(b.m, b.p, b.x);
    let mem = b.pool.write(mem, b.q, b.x);
    let mem = b.pool.write(mem, b.p, b.y);
    b.check(mem, "write(write(write(v0, v2, v7), v3, v7), v2, v8)");
    // Two writes to one place join.
    let (one, other) = (b.pool.write(b.m, b.p, b.x), b.pool.write(b.m, b.p, b.y));
    let joined = b.pool.ite(b.c, one, other);
    b.check(joined, "write(v0, v2, ite(v5, v7, v8))");
}

#[test]
fn pointers_are_objects_and_offsets() {
    let mut b = Bench::new();
    let (null, zero) = (b.pool.null(), b.pool.offset(0));
    let (first, later, other) = (b.object(0, 0), b.object(0, 8), b.object(1, 0));
    let (heap, heap_later) = (b.heap(0, 0), b.heap(0, 8));
    let moved = b.pool.ptr_add(heap, b.i);
    b.check(moved, "ptrmake(2147483648:bv32, v4)");

    let numbered = b.pool.bv(32, 2);
    let made = b.pool.binary(BinOp::PtrMake, numbered, zero);
    assert_eq!(made, other);
    let none = b.pool.bv(32, 0);
    let made = b.pool.binary(BinOp::PtrMake, none, zero);
    assert_eq!(made, null);

    let moved_first = b.pool.ptr_add(first, b.i);
    for (a, c, expected) in [
        (first, other, "false"),
        (first, null, "false"),
        (moved_first, other, "false"),
        (heap, first, "false"),
        (heap, heap_later, "false"),
        (moved_first, later, "eq(v4, 8:bv64)"),
        (moved, heap_later, "eq(v4, 8:bv64)"),
        (b.p, null, "eq(v2, null)"),
    ] {
        let equal = b.pool.eq(a, c);
        b.check(equal, expected);
    }
    let moved_p = b.pool.ptr_add(b.p, b.i);
    let equal = b.pool.eq(moved_p, b.p);
    b.check(equal, "eq(v4, 0:bv64)");
    // The object number is a variable.
    let somewhere = b.pool.binary(BinOp::PtrMake, b.x, b.i);
    let equal = b.pool.eq(somewhere, null);
    b.check(equal, "and(eq(v7, 0:bv32), eq(v4, 0:bv64))");

    let less = b.pool.binary(BinOp::PtrLt, moved_first, later);
    b.check(less, "bvslt(v4, 8:bv64)");
    let integer = b.pool.ptr_add(null, b.i);
    let eight = b.pool.ptr_add_const(null, 8);
    let less = b.pool.binary(BinOp::PtrLe, eight, integer);
    b.check(less, "bvule(8:bv64, v4)");
    // Where p is in its object is unknown, and so is whether p + i wraps around.
    let less = b.pool.binary(BinOp::PtrLt, b.p, moved_p);
    b.check(less, "ptrlt(v2, ptradd(v2, v4))");
    let apart = b.pool.binary(BinOp::PtrDiff, moved, heap_later);
    b.check(apart, "bvadd(v4, -8:bv64)");

    let pointer = b.pool.unary(UnOp::IntToPtr, b.i);
    let back = b.pool.unary(UnOp::PtrToInt, pointer);
    assert_eq!(back, b.i);
}

#[test]
fn comparisons_simplify() {
    let mut b = Bench::new();
    let zext = b.pool.unary(UnOp::ZeroExt(64), b.x);
    let sext = b.pool.unary(UnOp::SignExt(64), b.x);
    let choice = {
        let [one, two, three] = [1, 2, 3].map(|value| b.int(value));
        let inner = b.pool.ite(b.d, two, three);
        b.pool.ite(b.c, one, inner)
    };
    let minus = |value: u64| u128::from(value.wrapping_neg());
    let table: [(BinOp, Term, u128, &str); 14] = [
        (BinOp::Eq, choice, 2, "and(v6, not(v5))"),
        (BinOp::Eq, choice, 9, "false"),
        (BinOp::BvUlt, choice, 2, "v5"),
        (BinOp::BvUlt, zext, 5, "bvult(v7, 5:bv32)"),
        (BinOp::BvUlt, zext, 1 << 40, "true"),
        (BinOp::BvSlt, zext, minus(5), "false"),
        (BinOp::BvSle, zext, 5, "bvule(v7, 5:bv32)"),
        (BinOp::BvSlt, sext, minus(5), "bvslt(v7, -5:bv32)"),
        (BinOp::BvSlt, sext, 1 << 40, "true"),
        (BinOp::BvUlt, sext, minus(5), "bvult(v7, -5:bv32)"),
        (BinOp::BvUlt, sext, 1 << 40, "bvult(sext[64](v7), 1099511627776:bv64)"),
        (BinOp::BvUlt, b.x, 1, "bvult(v7, 1:bv32)"),
        (BinOp::BvUle, b.x, 0, "eq(v7, 0:bv32)"),
        (BinOp::BvSle, b.x, 0x7fff_ffff, "true"),
    ];
    for (op, a, constant, expected) in table {
        let width = b.pool.sort(a).width().expect("a bit-vector");
        let constant = b.pool.bv(width, constant);
        let term = b.pool.binary(op, a, constant);
        b.check(term, expected);
    }
    let zero = b.int(0);
    let positive = b.pool.binary(BinOp::BvUlt, zero, b.x);
    b.check(positive, "not(eq(v7, 0:bv32))");
    let (three, five) = (b.int(3), b.int(5));
    let sum = b.pool.binary(BinOp::BvAdd, b.x, three);
    let equal = b.pool.eq(sum, five);
    b.check(equal, "eq(v7, 2:bv32)");
    let other = b.pool.binary(BinOp::BvAdd, b.y, three);
    let equal = b.pool.eq(sum, other);
    b.check(equal, "eq(v7, v8)");
    let equal = b.pool.eq(sum, b.x);
    b.check(equal, "false");
}

#[test]
fn sums_have_their_constant_on_the_right() {
    let mut b = Bench::new();
    let (one, two) = (b.int(1), b.int(2));
    let x1 = b.pool.binary(BinOp::BvAdd, b.x, one);
    let y2 = b.pool.binary(BinOp::BvAdd, b.y, two);
    let sum = b.pool.binary(BinOp::BvAdd, x1, y2);
    b.check(sum, "bvadd(bvadd(v7, v8), 3:bv32)");
    let difference = b.pool.binary(BinOp::BvSub, x1, y2);
    b.check(difference, "bvadd(bvsub(v7, v8), -1:bv32)");
    let back = b.pool.binary(BinOp::BvSub, sum, b.y);
    b.check(back, "bvadd(v7, 3:bv32)");
    let negated = b.pool.unary(UnOp::BvNeg, x1);
    b.check(negated, "bvsub(-1:bv32, v7)");
    let negated = b.pool.unary(UnOp::BvNeg, negated);
    b.check(negated, "bvadd(v7, 1:bv32)");
}

#[test]
fn conditions_simplify() {
    let mut b = Bench::new();
    let both = b.pool.and(b.c, b.d);
    let again = b.pool.and(b.c, both);
    assert_eq!(again, both);
    let not_c = b.pool.not(b.c);
    let never = b.pool.and(not_c, both);
    b.check(never, "false");
    let absorbed = b.pool.or(b.c, both);
    assert_eq!(absorbed, b.c);
    let (less, not_less) = {
        let less = b.pool.binary(BinOp::BvSlt, b.x, b.y);
        (less, b.pool.not(less))
    };
    b.check(not_less, "bvsle(v8, v7)");
    let never = b.pool.and(less, not_less);
    b.check(never, "false");
    let inner = b.pool.ite(b.c, b.x, b.y);
    let zero = b.int(0);
    let nested = b.pool.ite(b.c, inner, zero);
    b.check(nested, "ite(v5, v7, 0:bv32)");
    let implied = b.pool.ite(b.c, b.c, b.d);
    b.check(implied, "or(v5, v6)");
}

#[test]
fn floats_fold_in_every_format() {
    let mut b = Bench::new();
    // 1.5 + 2.25 in the x87 format and in quadruple precision, by way of conversions.
    for kind in [FloatKind::F80, FloatKind::F128] {
        let [a, c] = [1.5f64, 2.25].map(|value| {
            let double = b.pool.float(FloatKind::F64, u128::from(value.to_bits()));
            b.pool.unary(UnOp::FToF(kind), double)
        });
        let sum = b.pool.binary(BinOp::FAdd, a, c);
        let back = b.pool.unary(UnOp::FToF(FloatKind::F64), sum);
        b.check(back, "3.75:f64");
        let whole = b.pool.unary(UnOp::FToS(32), sum);
        b.check(whole, "3:bv32");
        let less = b.pool.binary(BinOp::FLt, a, c);
        b.check(less, "true");
        let ten = b.int(10);
        let from_int = b.pool.unary(UnOp::SToF(kind), ten);
        let back = b.pool.unary(UnOp::FToU(8), from_int);
        b.check(back, "10:bv8");
    }
    // Out of range: the smallest value if signed, and left alone if not.
    let huge = b.pool.float(FloatKind::F64, u128::from(1e30f64.to_bits()));
    let signed = b.pool.unary(UnOp::FToS(32), huge);
    b.check(signed, "2147483648:bv32");
    let unsigned = b.pool.unary(UnOp::FToU(32), huge);
    b.check(unsigned, "ftou[32](1e30:f64)");
    // 0/0 has no literal, as its sign is the hardware's choice, but is NaN in every use.
    let zero = b.pool.zero(Sort::Float(FloatKind::F64));
    let nan = b.pool.binary(BinOp::FDiv, zero, zero);
    b.check(nan, "fdiv(0.0:f64, 0.0:f64)");
    let more = b.pool.binary(BinOp::FAdd, nan, huge);
    let test = b.pool.unary(UnOp::FIsNan, more);
    b.check(test, "true");
    let test = b.pool.binary(BinOp::FLe, more, huge);
    b.check(test, "false");
}

#[test]
fn long_chains_need_no_deep_stack() {
    const LENGTH: u64 = 50_000;
    let work = || {
        let mut b = Bench::new();
        let mut mem = b.m;
        for index in 0..LENGTH {
            let at = b.object(0, 4 * index);
            let value = b.int(u128::from(index));
            mem = b.pool.write(mem, at, value);
        }
        let first = b.object(0, 0);
        let found = b.read(mem, first);
        b.check(found, "0:bv32");
        // Both sides of an equality peel off one operand after the other.
        let (mut left, mut right) = (b.x, b.y);
        for index in 0..LENGTH {
            let add = b.pool.var(Var::new(100 + index as usize), Sort::Bv(32));
            left = b.pool.binary(BinOp::BvAdd, left, add);
            right = b.pool.binary(BinOp::BvAdd, right, add);
        }
        let equal = b.pool.eq(left, right);
        b.check(equal, "eq(v7, v8)");
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(work);
    thread.expect("a thread").join().expect("no stack overflow");
}
