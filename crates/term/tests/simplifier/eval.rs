//! The naive evaluator: bit-vectors as numbers, floats as the host's, pointers as pairs, memory as a
//! table of bytes. It shares no code with the crate.

use std::collections::BTreeMap;
use std::ops::{Add, Div, Mul, Rem, Sub};

use ravelin_base::EntityRef;
use ravelin_term::{
    BinOp, DYNAMIC_OBJECTS, FloatKind, Object, Rounding, Sort, TermKind, TermPool, UnOp, Var,
};

use crate::graph::Random;

#[derive(Clone, Copy, Debug)]
pub enum Value {
    Bool(bool),
    Bv(u128),
    F32(u32),
    F64(u64),
    Pointer {
        object: u32,
        offset: u128,
    },
    /// Tests are short, so memories are leaked.
    Memory(&'static Memory),
}

/// The seed determines the values that are not in the table.
#[derive(Clone, Debug)]
pub struct Memory {
    seed: u128,
    bytes: BTreeMap<(u32, u128), u8>,
}

impl Memory {
    fn byte(&self, object: u32, offset: u128) -> u8 {
        let made_up = || {
            let mixed = (self.seed as u64 ^ offset as u64 ^ u64::from(object) << 40)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed >> 56) as u8
        };
        self.bytes.get(&(object, offset)).copied().unwrap_or_else(made_up)
    }

    fn read(&self, (object, offset): (u32, u128), length: u16, pointer_bits: u16) -> u128 {
        (0..u128::from(length)).rev().fold(0, |bits, index| {
            let at = mask(offset.wrapping_add(index), pointer_bits);
            bits << 8 | u128::from(self.byte(object, at))
        })
    }

    fn write(
        &self,
        (object, offset): (u32, u128),
        length: u16,
        bits: u128,
        pointer_bits: u16,
    ) -> Memory {
        let mut new = self.clone();
        for index in 0..u128::from(length) {
            let at = mask(offset.wrapping_add(index), pointer_bits);
            new.bytes.insert((object, at), (bits >> (8 * index)) as u8);
        }
        new
    }

    fn same(&self, other: &Memory) -> bool {
        let mut touched = self.bytes.keys().chain(other.bytes.keys());
        self.seed == other.seed
            && touched
                .all(|&(object, offset)| self.byte(object, offset) == other.byte(object, offset))
    }
}

/// The model of pointers. No finite model has both properties: that distinct objects stay apart
/// whatever is added to their addresses, and that every pointer can be recovered from its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointers {
    /// An object and an offset. There are no casts to pointers.
    Pairs,
    /// Addresses alone. There are no comparisons and no memory.
    Addresses,
}

impl Value {
    /// Equality, where all NaNs are equal: their payload is the hardware's choice.
    pub fn same(self, other: Value) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Bv(a), Value::Bv(b)) => a == b,
            (Value::Pointer { object: a, offset: x }, Value::Pointer { object: b, offset: y }) => {
                (a, x) == (b, y)
            }
            (Value::Memory(a), Value::Memory(b)) => a.same(b),
            (Value::F32(a), Value::F32(b)) => {
                a == b || (f32::from_bits(a).is_nan() && f32::from_bits(b).is_nan())
            }
            (Value::F64(a), Value::F64(b)) => {
                a == b || (f64::from_bits(a).is_nan() && f64::from_bits(b).is_nan())
            }
            _ => false,
        }
    }

    fn bool(self) -> bool {
        match self {
            Value::Bool(value) => value,
            other => panic!("{other:?} is no Boolean"),
        }
    }

    fn bits(self) -> u128 {
        match self {
            Value::Bv(value) => value,
            other => panic!("{other:?} is no number"),
        }
    }

    fn pointer(self) -> (u32, u128) {
        match self {
            Value::Pointer { object, offset } => (object, offset),
            other => panic!("{other:?} is no pointer"),
        }
    }

    fn memory(self) -> &'static Memory {
        match self {
            Value::Memory(memory) => memory,
            other => panic!("{other:?} is no memory"),
        }
    }

    /// The bits in memory.
    fn stored(self, pointer_bits: u16) -> u128 {
        match self {
            Value::F32(bits) => bits.into(),
            Value::F64(bits) => bits.into(),
            Value::Pointer { .. } => address_of(self, pointer_bits),
            other => other.bits(),
        }
    }
}

/// Values of variables, and addresses of objects.
#[derive(Clone, Debug)]
pub struct Assignment {
    pointers: Pointers,
    seeds: Vec<u128>,
    set: Vec<(Var, Value)>,
}

impl Assignment {
    pub fn random(random: &mut Random, pointers: Pointers) -> Self {
        Assignment {
            pointers,
            seeds: (0..64).map(|_| random.interesting()).collect(),
            set: Vec::new(),
        }
    }

    pub fn set(&mut self, var: Var, value: Value) {
        self.set.push((var, value));
    }

    pub fn var(&self, var: Var, sort: Sort, pointer_bits: u16) -> Value {
        if let Some((_, value)) = self.set.iter().find(|(set, _)| *set == var) {
            return *value;
        }
        let seed = self.seeds[var.index()];
        match sort {
            Sort::Bool => Value::Bool(seed & 1 == 1),
            Sort::Bv(width) => Value::Bv(mask(seed, width)),
            Sort::Float(FloatKind::F32) => Value::F32(seed as u32),
            Sort::Float(FloatKind::F64) => Value::F64(seed as u64),
            Sort::Float(other) => panic!("no variables of sort {other:?}"),
            Sort::Ptr => {
                let object = match self.pointers {
                    Pointers::Pairs => [0, 1, 2, 3, 4, DYNAMIC_OBJECTS][(seed >> 60) as usize % 6],
                    Pointers::Addresses => 0,
                };
                Value::Pointer { object, offset: mask(seed, pointer_bits) }
            }
            Sort::Mem => {
                Value::Memory(Box::leak(Box::new(Memory { seed, bytes: BTreeMap::new() })))
            }
        }
    }

    pub fn address(&self, object: Object) -> Value {
        let number = object.index() as u32 + 1;
        match self.pointers {
            Pointers::Pairs => Value::Pointer { object: number, offset: 0 },
            Pointers::Addresses => Value::Pointer { object: 0, offset: base(number) },
        }
    }
}

/// Objects lie apart from each other and from null.
fn base(object: u32) -> u128 {
    0x1000 * u128::from(object)
}

fn address_of(pointer: Value, pointer_bits: u16) -> u128 {
    let (object, offset) = pointer.pointer();
    mask(base(object).wrapping_add(offset), pointer_bits)
}

pub fn read((mem, pointer): (Value, Value), sort: Sort, pointer_bits: u16) -> Value {
    let bits = |length| mem.memory().read(pointer.pointer(), length, pointer_bits);
    match sort {
        Sort::Bv(width) => Value::Bv(bits(width / 8)),
        Sort::Float(FloatKind::F32) => Value::F32(bits(4) as u32),
        Sort::Float(FloatKind::F64) => Value::F64(bits(8) as u64),
        Sort::Float(_) | Sort::Bool | Sort::Ptr | Sort::Mem => panic!("{sort} is not read"),
    }
}

pub fn write(mem: Value, pointer: Value, (value, sort): (Value, Sort), pointer_bits: u16) -> Value {
    let length = match sort {
        Sort::Bv(width) => width / 8,
        Sort::Float(kind) => kind.bits() / 8,
        Sort::Ptr => pointer_bits / 8,
        Sort::Bool | Sort::Mem => panic!("{sort} is not written"),
    };
    let bits = value.stored(pointer_bits);
    let new = mem.memory().write(pointer.pointer(), length, bits, pointer_bits);
    Value::Memory(Box::leak(Box::new(new)))
}

pub fn mask(value: u128, width: u16) -> u128 {
    if width == 128 { value } else { value % (1 << width) }
}

fn signed(value: u128, width: u16) -> i128 {
    if width < 128 && value >= 1 << (width - 1) {
        value as i128 - (1 << width)
    } else {
        value as i128
    }
}

/// The values of all terms of a pool, by index.
pub fn evaluate_pool(pool: &TermPool, assignment: &Assignment) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    let pointer_bits = pool.pointer_bits();
    for term in pool.iter() {
        let sort = pool.sort(term);
        let operand = |term: ravelin_term::Term| (values[term.index()], pool.sort(term));
        let value = match pool.kind(term) {
            TermKind::Bool(value) => Value::Bool(value),
            TermKind::Bv(value) => Value::Bv(value),
            TermKind::Float(bits) => match sort {
                Sort::Float(FloatKind::F32) => Value::F32(bits as u32),
                _ => Value::F64(bits as u64),
            },
            TermKind::Null => Value::Pointer { object: 0, offset: 0 },
            TermKind::Var(var) => assignment.var(var, sort, pointer_bits),
            TermKind::Address(object) => assignment.address(object),
            TermKind::Unary(op, a) => unary(op, operand(a), sort, pointer_bits),
            TermKind::Read(mem, pointer) => {
                read((operand(mem).0, operand(pointer).0), sort, pointer_bits)
            }
            TermKind::Write(mem, pointer, value) => {
                write(operand(mem).0, operand(pointer).0, operand(value), pointer_bits)
            }
            TermKind::Binary(op, a, b) => binary(op, operand(a), operand(b), sort, pointer_bits),
            TermKind::Ite(cond, a, b) => {
                if operand(cond).0.bool() {
                    operand(a).0
                } else {
                    operand(b).0
                }
            }
        };
        values.push(value);
    }
    values
}

pub fn unary(op: UnOp, (a, from): (Value, Sort), to: Sort, pointer_bits: u16) -> Value {
    let width = from.width().unwrap_or(128);
    let to_width = to.width().unwrap_or(128);
    match op {
        UnOp::Not => Value::Bool(!a.bool()),
        UnOp::BvNot => Value::Bv(mask(u128::MAX - a.bits(), width)),
        UnOp::BvNeg => Value::Bv(mask((u128::MAX - a.bits()).wrapping_add(1), width)),
        UnOp::ZeroExt(_) => a,
        UnOp::SignExt(_) => Value::Bv(mask(signed(a.bits(), width) as u128, to_width)),
        UnOp::Extract { hi, lo } => Value::Bv(mask(a.bits() >> lo, hi - lo + 1)),
        UnOp::PtrToInt => Value::Bv(address_of(a, pointer_bits)),
        UnOp::IntToPtr => Value::Pointer { object: 0, offset: a.bits() },
        UnOp::SToF(kind) => from_int(signed(a.bits(), width), kind),
        UnOp::UToF(kind) => match kind {
            FloatKind::F32 => Value::F32((a.bits() as f32).to_bits()),
            _ => Value::F64((a.bits() as f64).to_bits()),
        },
        UnOp::BitsToF(FloatKind::F32) => Value::F32(a.bits() as u32),
        UnOp::BitsToF(_) => Value::F64(a.bits() as u64),
        _ => match a {
            Value::F32(bits) => unary_f32(op, bits, to_width),
            Value::F64(bits) => unary_f64(op, bits, to_width),
            other => panic!("{op:?} of {other:?}"),
        },
    }
}

fn from_int(value: i128, kind: FloatKind) -> Value {
    match kind {
        FloatKind::F32 => Value::F32((value as f32).to_bits()),
        _ => Value::F64((value as f64).to_bits()),
    }
}

/// The operators of a format of the host, whose sign bit has this number.
macro_rules! unary_of_float {
    ($name:ident, $float:ident, $bits:ident, $value:path, $sign:literal) => {
        fn $name(op: UnOp, bits: $bits, width: u16) -> Value {
            let x = $float::from_bits(bits);
            match op {
                UnOp::FNeg => $value(bits ^ (1 << $sign)),
                UnOp::FAbs => $value(bits & !(1 << $sign)),
                UnOp::FSqrt => $value(x.sqrt().to_bits()),
                UnOp::FRound(rounding) => $value(
                    match rounding {
                        Rounding::Floor => x.floor(),
                        Rounding::Ceil => x.ceil(),
                        Rounding::Trunc => x.trunc(),
                        Rounding::NearestEven => x.round_ties_even(),
                        Rounding::NearestAway => x.round(),
                    }
                    .to_bits(),
                ),
                UnOp::FIsNan => Value::Bool(x.is_nan()),
                UnOp::FIsInf => Value::Bool(x.is_infinite()),
                UnOp::FIsNegative => Value::Bool(bits >> $sign == 1),
                UnOp::FToF(FloatKind::F32) => Value::F32((x as f32).to_bits()),
                UnOp::FToF(_) => Value::F64(f64::from(x).to_bits()),
                UnOp::FToS(_) => to_int(f64::from(x), width, true),
                UnOp::FToU(_) => to_int(f64::from(x), width, false),
                UnOp::FToBits => Value::Bv(u128::from(bits)),
                other => panic!("{other:?} of a float"),
            }
        }
    };
}

unary_of_float!(unary_f32, f32, u32, Value::F32, 31);
unary_of_float!(unary_f64, f64, u64, Value::F64, 63);

/// Out of range: the smallest signed value, and some unsigned value (any choice is correct as long
/// as no rule folds it to another).
fn to_int(x: f64, width: u16, is_signed: bool) -> Value {
    let whole = x.trunc();
    let limit = |bits: u16| (0..bits).fold(1.0, |power: f64, _| power * 2.0);
    let value = if is_signed {
        let limit = limit(width - 1);
        if whole >= -limit && whole < limit { whole as i128 as u128 } else { 1 << (width - 1) }
    } else if whole >= 0.0 && whole < limit(width) {
        whole as u128
    } else {
        1
    };
    Value::Bv(mask(value, width))
}

pub fn binary(
    op: BinOp,
    (a, sort_a): (Value, Sort),
    (b, sort_b): (Value, Sort),
    sort: Sort,
    pointer_bits: u16,
) -> Value {
    match (a, b) {
        (Value::F32(x), Value::F32(y)) => {
            floats(op, f32::from_bits(x), f32::from_bits(y), |it| Value::F32(it.to_bits()))
        }
        (Value::F64(x), Value::F64(y)) => {
            floats(op, f64::from_bits(x), f64::from_bits(y), |it| Value::F64(it.to_bits()))
        }
        (Value::Bool(x), Value::Bool(y)) => Value::Bool(match op {
            BinOp::And => x && y,
            BinOp::Or => x || y,
            BinOp::Eq => x == y,
            other => panic!("{other:?} of Booleans"),
        }),
        (Value::Pointer { .. }, _) => pointers(op, a, b, pointer_bits),
        (Value::Memory(a), Value::Memory(b)) => match op {
            BinOp::Eq => Value::Bool(a.same(b)),
            other => panic!("{other:?} of memories"),
        },
        (Value::Bv(number), Value::Bv(offset)) if op == BinOp::PtrMake => {
            Value::Pointer { object: number as u32, offset }
        }
        _ => numbers(op, a.bits(), b.bits(), (sort_a, sort_b, sort), pointer_bits),
    }
}

fn floats<F>(op: BinOp, x: F, y: F, number: impl Fn(F) -> Value) -> Value
where
    F: PartialOrd
        + Add<Output = F>
        + Sub<Output = F>
        + Mul<Output = F>
        + Div<Output = F>
        + Rem<Output = F>,
{
    match op {
        BinOp::FAdd => number(x + y),
        BinOp::FSub => number(x - y),
        BinOp::FMul => number(x * y),
        BinOp::FDiv => number(x / y),
        BinOp::FRem => number(x % y),
        BinOp::FEq => Value::Bool(x == y),
        BinOp::FLt => Value::Bool(x < y),
        BinOp::FLe => Value::Bool(x <= y),
        other => panic!("{other:?} of floats"),
    }
}

fn pointers(op: BinOp, a: Value, b: Value, pointer_bits: u16) -> Value {
    let (object, offset) = a.pointer();
    if op == BinOp::PtrAdd {
        let offset = mask(offset.wrapping_add(b.bits()), pointer_bits);
        return Value::Pointer { object, offset };
    }
    let (other_object, other) = b.pointer();
    let (address, other_address) = (address_of(a, pointer_bits), address_of(b, pointer_bits));
    let order = if object == other_object && object != 0 {
        signed(offset, pointer_bits).cmp(&signed(other, pointer_bits))
    } else {
        address.cmp(&other_address)
    };
    match op {
        BinOp::Eq => Value::Bool((object, offset) == (other_object, other)),
        BinOp::PtrDiff => Value::Bv(mask(address.wrapping_sub(other_address), pointer_bits)),
        BinOp::PtrLt => Value::Bool(order.is_lt()),
        BinOp::PtrLe => Value::Bool(order.is_le()),
        other => panic!("{other:?} of pointers"),
    }
}

fn numbers(
    op: BinOp,
    x: u128,
    y: u128,
    (sort_a, sort_b, sort): (Sort, Sort, Sort),
    pointer_bits: u16,
) -> Value {
    let width = sort_a.width().unwrap_or(pointer_bits);
    let (sx, sy) = (signed(x, width), signed(y, width));
    let negative = |value: i128| value < 0;
    let number = |value: u128| Value::Bv(mask(value, sort.width().unwrap_or(pointer_bits)));
    let quotient = || sx.unsigned_abs() / sy.unsigned_abs();
    let remainder = || sx.unsigned_abs() % sy.unsigned_abs();
    let minus = |value: u128| 0u128.wrapping_sub(value);
    match op {
        BinOp::Eq => Value::Bool(x == y),
        BinOp::BvAdd => number(x.wrapping_add(y)),
        BinOp::BvSub => number(x.wrapping_sub(y)),
        BinOp::BvMul => number(x.wrapping_mul(y)),
        BinOp::BvUdiv if y == 0 => number(u128::MAX),
        BinOp::BvUdiv => number(x / y),
        BinOp::BvUrem if y == 0 => number(x),
        BinOp::BvUrem => number(x % y),
        BinOp::BvSdiv if y == 0 => number(if negative(sx) { 1 } else { u128::MAX }),
        BinOp::BvSdiv if negative(sx) != negative(sy) => number(minus(quotient())),
        BinOp::BvSdiv => number(quotient()),
        BinOp::BvSrem if y == 0 => number(x),
        BinOp::BvSrem if negative(sx) => number(minus(remainder())),
        BinOp::BvSrem => number(remainder()),
        BinOp::BvShl if y >= u128::from(width) => number(0),
        BinOp::BvShl => number(x << y),
        BinOp::BvLshr if y >= u128::from(width) => number(0),
        BinOp::BvLshr => number(x >> y),
        BinOp::BvAshr if y >= u128::from(width) => number(if negative(sx) { u128::MAX } else { 0 }),
        BinOp::BvAshr => number((sx >> y) as u128),
        BinOp::BvAnd => number(x & y),
        BinOp::BvOr => number(x | y),
        BinOp::BvXor => number(x ^ y),
        BinOp::BvUlt => Value::Bool(x < y),
        BinOp::BvUle => Value::Bool(x <= y),
        BinOp::BvSlt => Value::Bool(sx < sy),
        BinOp::BvSle => Value::Bool(sx <= sy),
        BinOp::Concat => number((x << sort_b.width().unwrap_or(0)) + y),
        other => panic!("{other:?} of numbers"),
    }
}
