//! Families of operations and terms, as patterns.
//!
//! A match that treats whole families alike names them, for example `bin_ops!(logic, bv_order)`,
//! and names single operations where it treats them on their own. Such a match stays exhaustive: a
//! new operation is added to a family here, or else the compiler lists every match that must handle
//! it.

/// The kinds of terms: `constants`, `leaves` (constants, variables and addresses) and `inner`, which
/// have operands; of these, `operators` and accesses to `memory`, and choices, which belong to neither.
#[macro_export]
macro_rules! term_kinds {
    (constants) => {
        $crate::TermKind::Bool(_)
            | $crate::TermKind::Bv(_)
            | $crate::TermKind::Float(_)
            | $crate::TermKind::Null
    };
    (leaves) => {
        $crate::term_kinds!(constants) | $crate::TermKind::Var(_) | $crate::TermKind::Address(_)
    };
    (operators) => {
        $crate::TermKind::Unary(..) | $crate::TermKind::Binary(..)
    };
    (memory) => {
        $crate::TermKind::Read(..) | $crate::TermKind::Write(..)
    };
    (inner) => {
        $crate::term_kinds!(operators, memory) | $crate::TermKind::Ite(..)
    };
    ($family:ident, $($others:ident),+) => {
        $crate::term_kinds!($family) | $crate::term_kinds!($($others),+)
    };
}

/// Operations with one operand: on bit-vectors `bv` and `bv_width`, which changes the width; on
/// floats `float`, which gives a float, and `float_test`, which gives a Boolean; between them
/// `int_to_float` and `float_to_int`; `pointer_part`, the object and the offset of a pointer. The others belong to no family.
#[macro_export]
macro_rules! un_ops {
    (bv) => {
        $crate::UnOp::BvNot | $crate::UnOp::BvNeg
    };
    (bv_width) => {
        $crate::UnOp::ZeroExt(_) | $crate::UnOp::SignExt(_) | $crate::UnOp::Extract { .. }
    };
    (pointer_part) => {
        $crate::UnOp::PtrObject | $crate::UnOp::PtrOffset
    };
    (float) => {
        $crate::UnOp::FNeg
            | $crate::UnOp::FAbs
            | $crate::UnOp::FSqrt
            | $crate::UnOp::FRound(_)
            | $crate::UnOp::FToF(_)
    };
    (float_test) => {
        $crate::UnOp::FIsNan | $crate::UnOp::FIsInf | $crate::UnOp::FIsNegative
    };
    (int_to_float) => {
        $crate::UnOp::SToF(_) | $crate::UnOp::UToF(_)
    };
    (float_to_int) => {
        $crate::UnOp::FToS(_) | $crate::UnOp::FToU(_)
    };
    ($family:ident, $($others:ident),+) => {
        $crate::un_ops!($family) | $crate::un_ops!($($others),+)
    };
}

/// Operations with two operands: `logic`; on bit-vectors `bv_arithmetic`, which C defines for all
/// operands except for overflow and wide shifts, `bv_division`, which traps on zero, and
/// `bv_order`; on floats `float_arithmetic` and `float_order`; `pointer_order`. The others belong
/// to no family.
#[macro_export]
macro_rules! bin_ops {
    (logic) => {
        $crate::BinOp::And | $crate::BinOp::Or
    };
    (bv_arithmetic) => {
        $crate::BinOp::BvAdd
            | $crate::BinOp::BvSub
            | $crate::BinOp::BvMul
            | $crate::BinOp::BvShl
            | $crate::BinOp::BvLshr
            | $crate::BinOp::BvAshr
            | $crate::BinOp::BvAnd
            | $crate::BinOp::BvOr
            | $crate::BinOp::BvXor
    };
    (bv_division) => {
        $crate::BinOp::BvUdiv
            | $crate::BinOp::BvSdiv
            | $crate::BinOp::BvUrem
            | $crate::BinOp::BvSrem
    };
    (bv_order) => {
        $crate::BinOp::BvUlt | $crate::BinOp::BvUle | $crate::BinOp::BvSlt | $crate::BinOp::BvSle
    };
    (float_arithmetic) => {
        $crate::BinOp::FAdd
            | $crate::BinOp::FSub
            | $crate::BinOp::FMul
            | $crate::BinOp::FDiv
            | $crate::BinOp::FRem
    };
    (float_order) => {
        $crate::BinOp::FEq | $crate::BinOp::FLt | $crate::BinOp::FLe
    };
    (pointer_order) => {
        $crate::BinOp::PtrLt | $crate::BinOp::PtrLe
    };
    ($family:ident, $($others:ident),+) => {
        $crate::bin_ops!($family) | $crate::bin_ops!($($others),+)
    };
}
