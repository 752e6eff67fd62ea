//! Builtins of gcc that are not functions of the C library.

use super::super::ResultIs;
use super::super::intrinsic::{
    BitOp, CType, CompilerFunction, Intrinsic, OverflowOp, VarArgsFunction,
};
use super::{ANY, Model, Row, ZERO, does, sig};

const FIRST_ARGUMENT: Model = Model::NoEffect(ResultIs::Argument(0));
const FRAME: Model = Model::Unsupported("addresses of frames");
const PACK: Model = Model::Unsupported("passing on the arguments of an inlined function");

const fn compiler(function: CompilerFunction) -> Model {
    Model::Intrinsic(Intrinsic::Compiler(function))
}

pub(super) const HINTS: &[Row] = &[
    ("__builtin_expect", FIRST_ARGUMENT, sig!(Long(Long, Long))),
    ("__builtin_expect_with_probability", FIRST_ARGUMENT, sig!(Long(Long, Long, Double))),
    ("__builtin_assume_aligned", FIRST_ARGUMENT, sig!(Pointer(Pointer, Size, ...))),
    ("__builtin_extract_return_addr", FIRST_ARGUMENT, sig!(Pointer(Pointer))),
    ("__builtin_prefetch", ZERO, sig!(Void(Pointer, ...))),
    ("__builtin___clear_cache", ZERO, sig!(Void(Pointer, Pointer))),
    ("__builtin_ia32_pause", ZERO, sig!(Void())),
    ("__builtin_trap", does(Intrinsic::Trap), sig!(Void())),
    ("__builtin_debugtrap", does(Intrinsic::Trap), sig!(Void())),
    ("__builtin_verbose_trap", does(Intrinsic::Trap), sig!(Void(...))),
    ("__debugbreak", does(Intrinsic::Trap), sig!(Void())),
    ("__fastfail", does(Intrinsic::Trap), sig!(Void(Unsigned))),
    ("__builtin_assume", compiler(CompilerFunction::AssumeHolds), sig!(Void(Bool))),
    ("__assume", compiler(CompilerFunction::AssumeHolds), sig!(Void(Bool))),
    ("__builtin_unreachable", compiler(CompilerFunction::Unreachable), sig!(Void())),
    // Code has no address that a program could know.
    ("__builtin_return_address", ANY, sig!(Pointer(Unsigned))),
    ("__builtin_frame_address", FRAME, sig!(Pointer(Unsigned))),
];

pub(super) const TYPES: &[Row] = &[
    ("__builtin_constant_p", compiler(CompilerFunction::IsConstant), None),
    ("__builtin_choose_expr", compiler(CompilerFunction::ChooseExpression), None),
    ("__builtin_complex", compiler(CompilerFunction::Complex), None),
    ("__builtin_assoc_barrier", compiler(CompilerFunction::Same), None),
    // Predictions of the processor do not matter here.
    ("__builtin_speculation_safe_value", compiler(CompilerFunction::Same), None),
    ("__builtin_classify_type", compiler(CompilerFunction::ClassifyType), None),
    ("__builtin_LINE", compiler(CompilerFunction::Line), sig!(Int())),
    ("__builtin_FUNCTION", compiler(CompilerFunction::FunctionName), sig!(Pointer())),
    ("__builtin_FILE", compiler(CompilerFunction::FileName), sig!(Pointer())),
    ("__builtin_object_size", compiler(CompilerFunction::ObjectSize), sig!(Size(Pointer, Int))),
    (
        "__builtin_dynamic_object_size",
        compiler(CompilerFunction::ObjectSize),
        sig!(Size(Pointer, Int)),
    ),
];

const fn bits(op: BitOp, operand: CType) -> Model {
    Model::Intrinsic(Intrinsic::Bits { op, operand })
}

const fn swap(bits: u8) -> Model {
    Model::Intrinsic(Intrinsic::SwapBytes { bits })
}

pub(super) const BITS: &[Row] = &[
    ("__builtin_clz", bits(BitOp::CountLeadingZeros, CType::Unsigned), sig!(Int(Unsigned))),
    (
        "__builtin_clzl",
        bits(BitOp::CountLeadingZeros, CType::UnsignedLong),
        sig!(Int(UnsignedLong)),
    ),
    (
        "__builtin_clzll",
        bits(BitOp::CountLeadingZeros, CType::UnsignedLongLong),
        sig!(Int(UnsignedLongLong)),
    ),
    ("__builtin_ctz", bits(BitOp::CountTrailingZeros, CType::Unsigned), sig!(Int(Unsigned))),
    (
        "__builtin_ctzl",
        bits(BitOp::CountTrailingZeros, CType::UnsignedLong),
        sig!(Int(UnsignedLong)),
    ),
    (
        "__builtin_ctzll",
        bits(BitOp::CountTrailingZeros, CType::UnsignedLongLong),
        sig!(Int(UnsignedLongLong)),
    ),
    ("__builtin_clrsb", bits(BitOp::CountRedundantSigns, CType::Int), sig!(Int(Int))),
    ("__builtin_clrsbl", bits(BitOp::CountRedundantSigns, CType::Long), sig!(Int(Long))),
    ("__builtin_clrsbll", bits(BitOp::CountRedundantSigns, CType::LongLong), sig!(Int(LongLong))),
    ("__builtin_parity", bits(BitOp::Parity, CType::Unsigned), sig!(Int(Unsigned))),
    ("__builtin_parityl", bits(BitOp::Parity, CType::UnsignedLong), sig!(Int(UnsignedLong))),
    (
        "__builtin_parityll",
        bits(BitOp::Parity, CType::UnsignedLongLong),
        sig!(Int(UnsignedLongLong)),
    ),
    ("__builtin_popcount", bits(BitOp::Population, CType::Unsigned), sig!(Int(Unsigned))),
    ("__builtin_popcountl", bits(BitOp::Population, CType::UnsignedLong), sig!(Int(UnsignedLong))),
    (
        "__builtin_popcountll",
        bits(BitOp::Population, CType::UnsignedLongLong),
        sig!(Int(UnsignedLongLong)),
    ),
    ("ffs", bits(BitOp::FindFirstSet, CType::Int), sig!(Int(Int))),
    ("ffsl", bits(BitOp::FindFirstSet, CType::Long), sig!(Int(Long))),
    ("ffsll", bits(BitOp::FindFirstSet, CType::LongLong), sig!(Int(LongLong))),
    ("__builtin_bswap16", swap(16), sig!(UnsignedShort(UnsignedShort))),
    ("__builtin_bswap32", swap(32), sig!(Unsigned(Unsigned))),
    ("__builtin_bswap64", swap(64), sig!(UnsignedLongLong(UnsignedLongLong))),
    ("__builtin_bswap128", swap(128), sig!(UnsignedInt128(UnsignedInt128))),
];

/// The row of a function that computes in one type.
macro_rules! overflow {
    ($name:literal, $op:ident, $operand:ident) => {
        (
            $name,
            does(Intrinsic::Overflow { op: OverflowOp::$op, operand: Some(CType::$operand) }),
            sig!(Bool($operand, $operand, Pointer)),
        )
    };
}

pub(super) const OVERFLOW: &[Row] = &[
    (
        "__builtin_add_overflow",
        does(Intrinsic::Overflow { op: OverflowOp::Add, operand: None }),
        None,
    ),
    (
        "__builtin_sub_overflow",
        does(Intrinsic::Overflow { op: OverflowOp::Sub, operand: None }),
        None,
    ),
    (
        "__builtin_mul_overflow",
        does(Intrinsic::Overflow { op: OverflowOp::Mul, operand: None }),
        None,
    ),
    ("__builtin_add_overflow_p", does(Intrinsic::WouldOverflow(OverflowOp::Add)), None),
    ("__builtin_sub_overflow_p", does(Intrinsic::WouldOverflow(OverflowOp::Sub)), None),
    ("__builtin_mul_overflow_p", does(Intrinsic::WouldOverflow(OverflowOp::Mul)), None),
    ("__CPROVER_overflow_plus", does(Intrinsic::WouldOverflow(OverflowOp::Add)), None),
    ("__CPROVER_overflow_minus", does(Intrinsic::WouldOverflow(OverflowOp::Sub)), None),
    ("__CPROVER_overflow_mult", does(Intrinsic::WouldOverflow(OverflowOp::Mul)), None),
    ("__CPROVER_saturating_plus", does(Intrinsic::Saturating(OverflowOp::Add)), None),
    ("__CPROVER_saturating_minus", does(Intrinsic::Saturating(OverflowOp::Sub)), None),
    ("__CPROVER_equal", does(Intrinsic::SameRepresentation), None),
    overflow!("__builtin_sadd_overflow", Add, Int),
    overflow!("__builtin_saddl_overflow", Add, Long),
    overflow!("__builtin_saddll_overflow", Add, LongLong),
    overflow!("__builtin_uadd_overflow", Add, Unsigned),
    overflow!("__builtin_uaddl_overflow", Add, UnsignedLong),
    overflow!("__builtin_uaddll_overflow", Add, UnsignedLongLong),
    overflow!("__builtin_ssub_overflow", Sub, Int),
    overflow!("__builtin_ssubl_overflow", Sub, Long),
    overflow!("__builtin_ssubll_overflow", Sub, LongLong),
    overflow!("__builtin_usub_overflow", Sub, Unsigned),
    overflow!("__builtin_usubl_overflow", Sub, UnsignedLong),
    overflow!("__builtin_usubll_overflow", Sub, UnsignedLongLong),
    overflow!("__builtin_smul_overflow", Mul, Int),
    overflow!("__builtin_smull_overflow", Mul, Long),
    overflow!("__builtin_smulll_overflow", Mul, LongLong),
    overflow!("__builtin_umul_overflow", Mul, Unsigned),
    overflow!("__builtin_umull_overflow", Mul, UnsignedLong),
    overflow!("__builtin_umulll_overflow", Mul, UnsignedLongLong),
];

pub(super) const VARIABLE_ARGUMENTS: &[Row] = &[
    ("__builtin_va_start", does(Intrinsic::VarArgs(VarArgsFunction::Start)), None),
    ("__builtin_va_end", does(Intrinsic::VarArgs(VarArgsFunction::End)), None),
    ("__builtin_va_copy", does(Intrinsic::VarArgs(VarArgsFunction::Copy)), None),
    // The macros of <stdarg.h>, in programs that do not include it.
    ("va_start", does(Intrinsic::VarArgs(VarArgsFunction::Start)), None),
    ("va_end", does(Intrinsic::VarArgs(VarArgsFunction::End)), None),
    ("va_copy", does(Intrinsic::VarArgs(VarArgsFunction::Copy)), None),
    ("__builtin_va_arg_pack", PACK, None),
    ("__builtin_va_arg_pack_len", PACK, None),
    ("__builtin_apply", PACK, None),
    ("__builtin_apply_args", PACK, None),
    ("__builtin_return", PACK, None),
];

/// Replacements that the source layer writes for syntax that the parser rejects.
pub(super) const REWRITTEN: &[Row] = &[(
    "__ravelin_types_compatible",
    compiler(CompilerFunction::TypesCompatible),
    sig!(Int(Size, Size)),
)];
