//! The functions of the competition on software verification, and those that C models may call.

use super::super::intrinsic::{Intrinsic, ThreadFunction};
use super::{ANY, Model, Row, does, sig};
use ravelin_cfa::SyncOp;

pub(super) const ERRORS: &[Row] = &[
    ("reach_error", does(Intrinsic::ReachError), sig!(Void())),
    ("__VERIFIER_error", does(Intrinsic::ReachError), sig!(Void())),
    ("__VERIFIER_assume", does(Intrinsic::Assume), sig!(Void(Int))),
    ("__VERIFIER_atomic_begin", does(Intrinsic::AtomicBegin), sig!(Void())),
    ("__VERIFIER_atomic_end", does(Intrinsic::AtomicEnd), sig!(Void())),
];

const NONDET: Model = does(Intrinsic::Nondet);

pub(super) const INPUTS: &[Row] = &[
    ("__VERIFIER_nondet_bool", NONDET, sig!(Bool())),
    ("__VERIFIER_nondet_char", NONDET, sig!(Char())),
    ("__VERIFIER_nondet_charp", NONDET, sig!(Pointer())),
    ("__VERIFIER_nondet_double", NONDET, sig!(Double())),
    ("__VERIFIER_nondet_float", NONDET, sig!(Float())),
    ("__VERIFIER_nondet_int", NONDET, sig!(Int())),
    ("__VERIFIER_nondet_int128", NONDET, sig!(Int128())),
    ("__VERIFIER_nondet_loff_t", NONDET, sig!(LongLong())),
    ("__VERIFIER_nondet_long", NONDET, sig!(Long())),
    ("__VERIFIER_nondet_long_double", NONDET, sig!(LongDouble())),
    ("__VERIFIER_nondet_longlong", NONDET, sig!(LongLong())),
    ("__VERIFIER_nondet_pchar", NONDET, sig!(Pointer())),
    ("__VERIFIER_nondet_pointer", NONDET, sig!(Pointer())),
    ("__VERIFIER_nondet_pthread_t", NONDET, sig!(UnsignedLong())),
    ("__VERIFIER_nondet_schar", NONDET, sig!(SignedChar())),
    ("__VERIFIER_nondet_sector_t", NONDET, sig!(UnsignedLong())),
    ("__VERIFIER_nondet_short", NONDET, sig!(Short())),
    ("__VERIFIER_nondet_size_t", NONDET, sig!(Size())),
    ("__VERIFIER_nondet_u16", NONDET, sig!(UnsignedShort())),
    ("__VERIFIER_nondet_u32", NONDET, sig!(Unsigned())),
    ("__VERIFIER_nondet_u64", NONDET, sig!(UnsignedLongLong())),
    ("__VERIFIER_nondet_u8", NONDET, sig!(UnsignedChar())),
    ("__VERIFIER_nondet_uchar", NONDET, sig!(UnsignedChar())),
    ("__VERIFIER_nondet_uint", NONDET, sig!(Unsigned())),
    ("__VERIFIER_nondet_uint128", NONDET, sig!(UnsignedInt128())),
    ("__VERIFIER_nondet_ulong", NONDET, sig!(UnsignedLong())),
    ("__VERIFIER_nondet_ulonglong", NONDET, sig!(UnsignedLongLong())),
    ("__VERIFIER_nondet_unsigned", NONDET, sig!(Unsigned())),
    ("__VERIFIER_nondet_unsigned_char", NONDET, sig!(UnsignedChar())),
    ("__VERIFIER_nondet_unsigned_int", NONDET, sig!(Unsigned())),
    ("__VERIFIER_nondet_unsigned_long", NONDET, sig!(UnsignedLong())),
    ("__VERIFIER_nondet_ushort", NONDET, sig!(UnsignedShort())),
];

/// What C models need beyond the C library. The `any` functions are not inputs of the program.
pub(super) const FOR_MODELS: &[Row] = &[
    ("__ravelin_any_int", ANY, sig!(Int())),
    ("__ravelin_any_long", ANY, sig!(Long())),
    ("__ravelin_any_llong", ANY, sig!(LongLong())),
    ("__ravelin_any_float", ANY, sig!(Float())),
    ("__ravelin_any_double", ANY, sig!(Double())),
    (
        "__ravelin_mutex_init",
        does(Intrinsic::Sync { op: SyncOp::MutexInit, args: &[0, 1] }),
        sig!(Int(Pointer, Int)),
    ),
    (
        "__ravelin_semaphore_value",
        does(Intrinsic::Sync { op: SyncOp::SemGetValue, args: &[0] }),
        sig!(Int(Pointer)),
    ),
    (
        "__ravelin_semaphore_trywait",
        does(Intrinsic::Sync { op: SyncOp::SemTryWait, args: &[0] }),
        sig!(Int(Pointer)),
    ),
    (
        "__ravelin_thread_join",
        does(Intrinsic::Thread(ThreadFunction::Join)),
        sig!(Pointer(UnsignedLong)),
    ),
    ("__ravelin_unsupported", does(Intrinsic::Unsupported), sig!(Void(Pointer))),
];
