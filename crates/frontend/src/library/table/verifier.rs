//! The functions of verifiers: errors, assertions, assumptions and others. Inputs are in
//! [`inputs`](super::super::inputs).

use super::super::intrinsic::{CANCELLATION, ERRNO, Intrinsic, PointerTest, ThreadFunction};
use super::{ANY, Model, Row, ZERO, does, print, sig};
use ravelin_cfa::SyncOp;

const ASSERT: Model = does(Intrinsic::Assert);
const ASSUME: Model = does(Intrinsic::Assume);
const ATOMIC_BEGIN: Model = does(Intrinsic::AtomicBegin);
const ATOMIC_END: Model = does(Intrinsic::AtomicEnd);

/// Functions whose calls are the error of the reachability property, whatever body the program gives them.
pub(crate) const ALWAYS_ERRORS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// Functions whose calls are errors.
pub(super) const ERRORS: &[Row] = &[
    ("reach_error", does(Intrinsic::ReachError), sig!(Void(...))),
    ("__VERIFIER_error", does(Intrinsic::ReachError), sig!(Void(...))),
    ("klee_report_error", does(Intrinsic::ReachError), sig!(Void(Pointer, Int, Pointer, Pointer))),
    // GenMC's `assert` calls it.
    ("__VERIFIER_assert_fail", does(Intrinsic::AssertFail), sig!(Void(Pointer, Pointer, Int))),
];

/// Functions whose first argument is asserted or assumed. Undeclared, they take it as `_Bool`: any
/// scalar is true if it is not zero.
pub(super) const CONDITIONS: &[Row] = &[
    // The macro of <assert.h>, in programs that do not include it.
    ("assert", ASSERT, sig!(Void(Bool, ...))),
    ("__VERIFIER_assert", ASSERT, sig!(Void(Bool, ...))),
    ("__CPROVER_assert", ASSERT, sig!(Void(Bool, ...))),
    ("__CPROVER_precondition", ASSERT, sig!(Void(Bool, ...))),
    ("__CPROVER_postcondition", ASSERT, sig!(Void(Bool, ...))),
    ("__ESBMC_assert", ASSERT, sig!(Void(Bool, ...))),
    ("__goblint_check", ASSERT, sig!(Void(Bool, ...))),
    ("__goblint_assert", ASSERT, sig!(Void(Bool, ...))),
    ("klee_assert", ASSERT, sig!(Void(Bool, ...))),
    ("__llbmc_assert", ASSERT, sig!(Void(Bool, ...))),
    // Frama-C's <assert.h> makes `assert` a call of it.
    ("__FC_assert", ASSERT, sig!(Void(Bool, ...))),
    ("__VERIFIER_assume", ASSUME, sig!(Void(Bool, ...))),
    ("__CPROVER_assume", ASSUME, sig!(Void(Bool, ...))),
    ("__ESBMC_assume", ASSUME, sig!(Void(Bool, ...))),
    ("__goblint_assume", ASSUME, sig!(Void(Bool, ...))),
    ("klee_assume", ASSUME, sig!(Void(Bool, ...))),
    ("__llbmc_assume", ASSUME, sig!(Void(Bool, ...))),
];

pub(super) const ATOMIC_BLOCKS: &[Row] = &[
    ("__VERIFIER_atomic_begin", ATOMIC_BEGIN, sig!(Void())),
    ("__VERIFIER_atomic_end", ATOMIC_END, sig!(Void())),
    ("__CPROVER_atomic_begin", ATOMIC_BEGIN, sig!(Void())),
    ("__CPROVER_atomic_end", ATOMIC_END, sig!(Void())),
    ("__ESBMC_atomic_begin", ATOMIC_BEGIN, sig!(Void())),
    ("__ESBMC_atomic_end", ATOMIC_END, sig!(Void())),
];

/// Hints to a verifier, and reports to its user. They change nothing that the program computes.
pub(super) const ANNOTATIONS: &[Row] = &[
    ("__CPROVER_fence", ZERO, sig!(Void(...))),
    ("__CPROVER_input", ZERO, sig!(Void(...))),
    ("__CPROVER_output", ZERO, sig!(Void(...))),
    ("__CPROVER_printf", print(0), sig!(Int(Pointer, ...))),
    ("__ESBMC_yield", ZERO, sig!(Void())),
    ("__ESBMC_unroll", ZERO, sig!(Void(...))),
    ("__goblint_split_begin", ZERO, sig!(Void(...))),
    ("__goblint_split_end", ZERO, sig!(Void(...))),
    ("__goblint_globalize", ZERO, sig!(Void(Pointer))),
    // GenMC and Dartagnan: loop bounds, and the purpose of writes and reads.
    ("__VERIFIER_annotate_begin", ZERO, sig!(Void(Int))),
    ("__VERIFIER_annotate_end", ZERO, sig!(Void(Int))),
    ("__VERIFIER_loop_begin", ZERO, sig!(Void())),
    ("__VERIFIER_loop_bound", ZERO, sig!(Void(Int))),
    ("__VERIFIER_spin_start", ZERO, sig!(Void())),
    ("__VERIFIER_spin_end", ZERO, sig!(Void(Bool))),
    ("__VERIFIER_method_begin", ZERO, sig!(Void(Pointer, Int))),
    ("__VERIFIER_method_end", ZERO, sig!(Void(Pointer, Int))),
    // GenMC's hazard pointers: freed memory is never used again (A15), so they have nothing to
    // protect.
    ("__VERIFIER_hazptr_protect", ZERO, sig!(Void(Pointer, Pointer))),
    ("__VERIFIER_hazptr_clear", ZERO, sig!(Void(Pointer))),
    ("__VERIFIER_hazptr_free", ZERO, sig!(Void(Pointer))),
    ("__VERIFIER_hazptr_retire", ZERO, sig!(Void(Pointer))),
    // Whether to execute a block that GenMC may leave out; the execution ends after it.
    ("__VERIFIER_opt_begin", does(Intrinsic::Nondet), sig!(Int())),
    ("klee_close_merge", ZERO, sig!(Void())),
    ("klee_is_replay", ZERO, sig!(Unsigned())),
    ("klee_mark_global", ZERO, sig!(Void(Pointer))),
    ("klee_open_merge", ZERO, sig!(Void())),
    ("klee_posix_prefer_cex", ZERO, sig!(Void(Pointer, Size))),
    ("klee_prefer_cex", ZERO, sig!(Void(Pointer, Size))),
    ("klee_print_expr", ZERO, sig!(Void(Pointer, ...))),
    ("klee_set_forking", ZERO, sig!(Void(Unsigned))),
    ("klee_stack_trace", ZERO, sig!(Void())),
    ("klee_warning", ZERO, sig!(Void(Pointer))),
    ("klee_warning_once", ZERO, sig!(Void(Pointer))),
];

/// KLEE's ends of an execution, and its inputs that are not named after their types.
pub(super) const KLEE: &[Row] = &[
    ("klee_abort", does(Intrinsic::Abort), sig!(Void())),
    ("klee_silent_exit", does(Intrinsic::Exit), sig!(Void(Int))),
    ("klee_int", does(Intrinsic::Nondet), sig!(Int(Pointer))),
];

const fn fill(size: Option<u8>) -> Model {
    does(Intrinsic::FillWithInputs { size })
}

/// Functions that leave any contents in an object.
pub(super) const CONTENTS: &[Row] = &[
    ("__CPROVER_havoc_object", fill(None), sig!(Void(Pointer))),
    ("__CPROVER_havoc_slice", fill(Some(1)), sig!(Void(Pointer, Size))),
    ("__ESBMC_init_object", fill(None), sig!(Void(Pointer))),
    ("__goblint_unknown", fill(None), sig!(Void(Pointer))),
    ("klee_make_symbolic", fill(Some(1)), sig!(Void(Pointer, Size, ...))),
    ("Frama_C_make_unknown", fill(Some(1)), sig!(Void(Pointer, Size))),
    ("__VERIFIER_nondet_memory", fill(Some(1)), sig!(Void(Pointer, Size))),
];

const fn test(test: PointerTest) -> Model {
    does(Intrinsic::TestPointer(test))
}

/// Queries about pointers that C has no operators for.
pub(super) const POINTERS: &[Row] = &[
    ("__CPROVER_r_ok", test(PointerTest::Readable), sig!(Bool(Pointer, ...))),
    ("__CPROVER_w_ok", test(PointerTest::Writable), sig!(Bool(Pointer, ...))),
    ("__CPROVER_rw_ok", test(PointerTest::Writable), sig!(Bool(Pointer, ...))),
    ("__ESBMC_r_ok", test(PointerTest::Readable), sig!(Bool(Pointer, ...))),
    ("__ESBMC_w_ok", test(PointerTest::Writable), sig!(Bool(Pointer, ...))),
    ("__ESBMC_rw_ok", test(PointerTest::Writable), sig!(Bool(Pointer, ...))),
    ("__CPROVER_same_object", test(PointerTest::SameObject), sig!(Bool(Pointer, Pointer))),
    ("__ESBMC_same_object", test(PointerTest::SameObject), sig!(Bool(Pointer, Pointer))),
    ("__CPROVER_OBJECT_SIZE", test(PointerTest::ObjectSize), sig!(Size(Pointer))),
    ("__ESBMC_get_object_size", test(PointerTest::ObjectSize), sig!(Size(Pointer))),
    ("__CPROVER_POINTER_OFFSET", test(PointerTest::Offset), sig!(Size(Pointer))),
    ("__CPROVER_buffer_size", test(PointerTest::Rest), sig!(Size(Pointer))),
    ("__CPROVER_POINTER_OBJECT", test(PointerTest::Object), sig!(Size(Pointer))),
    ("__ESBMC_POINTER_OBJECT", test(PointerTest::Object), sig!(Size(Pointer))),
    ("__CPROVER_LIVE_OBJECT", test(PointerTest::IsAlive), sig!(Bool(Pointer))),
    ("__CPROVER_WRITEABLE_OBJECT", test(PointerTest::IsWritable), sig!(Bool(Pointer))),
    ("__CPROVER_DYNAMIC_OBJECT", test(PointerTest::IsHeap), sig!(Bool(Pointer))),
    ("__ESBMC_POINTER_OFFSET", test(PointerTest::Offset), sig!(Size(Pointer))),
];

const INEXACT: Model =
    does(Intrinsic::NotModelled("a function of <math.h> whose results C leaves open"));

/// Functions for C models and instrumented programs, beyond the C library. The `any` functions are
/// not inputs of the program.
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
    ("__ravelin_assume", ASSUME, sig!(Void(Bool))),
    ("__ravelin_quantified", does(Intrinsic::NotModelled("a quantifier")), sig!(Bool())),
    ("__ravelin_time_zone", does(Intrinsic::NotModelled("local time")), sig!(Int())),
    ("__ravelin_inexact_double", INEXACT, sig!(Double())),
    ("__ravelin_inexact_float", INEXACT, sig!(Float())),
    ("__ravelin_stop", does(Intrinsic::Stop), sig!(Void())),
    (
        "__ravelin_mutex_timedlock",
        does(Intrinsic::Sync { op: SyncOp::MutexTimedLock, args: &[0] }),
        sig!(Int(Pointer)),
    ),
    (
        "__ravelin_cond_timedwait",
        does(Intrinsic::Sync { op: SyncOp::CondTimedWait, args: &[0, 1] }),
        sig!(Int(Pointer, Pointer)),
    ),
    ("__ravelin_exit_now", does(Intrinsic::Exit), sig!(Void(Int))),
    ("__ravelin_unsupported", does(Intrinsic::Unsupported), sig!(Void(Pointer))),
    ("__ravelin_undefined", does(Intrinsic::Undefined), sig!(Void(Pointer))),
];

const fn if_mentioned(names: &'static [&'static str], then: &'static str) -> Model {
    Model::Intrinsic(Intrinsic::IfMentioned { names, then })
}

/// Functions that read the flags of streams.
const STREAM_FLAGS: &[&str] = &["feof", "feof_unlocked", "ferror", "ferror_unlocked"];
/// Functions that read from a temporary file, or through a pipe.
const READERS: &[&str] = &[
    "fread",
    "fread_unlocked",
    "fgetc",
    "fgetc_unlocked",
    "getc",
    "getc_unlocked",
    "_IO_getc",
    "fgets",
    "fgets_unlocked",
    "fscanf",
    "getline",
    "read",
];
/// Names that set the time zone, or show more of it than `daylight`.
const TIME_ZONE: &[&str] = &[
    "timezone",
    "tzname",
    "__timezone",
    "__tzname",
    "__daylight",
    "setenv",
    "putenv",
    "unsetenv",
    "clearenv",
    "environ",
    "__environ",
];
/// The function that makes streams over memory.
const OVER_MEMORY: &[&str] = &["fmemopen"];
/// Other streams, and functions of streams that have no model for those over memory.
const BESIDE_MEMORY: &[&str] = &[
    "stdin",
    "stdout",
    "stderr",
    "fopen",
    "fopen64",
    "fdopen",
    "freopen",
    "freopen64",
    "tmpfile",
    "tmpfile64",
    "popen",
    "open_memstream",
    "open_wmemstream",
    "fopencookie",
    "fcloseall",
    "fprintf",
    "vfprintf",
    "__fprintf_chk",
    "__vfprintf_chk",
    "__builtin_fprintf",
    "__builtin_vfprintf",
    "__builtin_fprintf_unlocked",
    "fwrite",
    "fwrite_unlocked",
    "__builtin_fwrite",
    "fread",
    "fread_unlocked",
    "__fread_chk",
    "__fgets_chk",
    "fscanf",
    "vfscanf",
    "__isoc99_fscanf",
    "__isoc23_fscanf",
    "ungetc",
    "fseek",
    "fseeko",
    "fseeko64",
    "ftell",
    "ftello",
    "ftello64",
    "fgetpos",
    "fsetpos",
    "fgetpos64",
    "fsetpos64",
    "setbuf",
    "setvbuf",
    "setbuffer",
    "setlinebuf",
    "fileno",
    "fileno_unlocked",
    "getline",
    "getdelim",
    "__getdelim",
    "getw",
    "putw",
    "fwide",
    "fputwc",
    "fputws",
    "putwc",
    "fgetwc",
    "fgetws",
    "getwc",
    "ungetwc",
    "fwprintf",
    "vfwprintf",
    "fwscanf",
    "vfwscanf",
    "fputwc_unlocked",
    "fputws_unlocked",
    "putwc_unlocked",
    "fgetwc_unlocked",
    "fgetws_unlocked",
    "getwc_unlocked",
    "__fpurge",
    "fpurge",
    "__fbufsize",
    "__flbf",
    "__fsetlocking",
    "getchar",
    "getchar_unlocked",
    "gets",
    "scanf",
    "vscanf",
    "__isoc99_scanf",
    "__isoc23_scanf",
    "_flushlbf",
    "__overflow",
    "__uflow",
    "flockfile",
    "ftrylockfile",
    "funlockfile",
];

/// Effects that only some programs need.
pub(super) const IF_MENTIONED: &[Row] = &[
    ("__ravelin_set_errno", if_mentioned(ERRNO, "__ravelin_store_errno"), sig!(Void(Int))),
    ("__ravelin_set_any_errno", if_mentioned(ERRNO, "__ravelin_store_any_errno"), sig!(Void())),
    ("__ravelin_may_set_errno", if_mentioned(ERRNO, "__ravelin_disturb_errno"), sig!(Void())),
    (
        "__ravelin_stream_opened",
        if_mentioned(STREAM_FLAGS, "__ravelin_reset_stream"),
        sig!(Void(Pointer)),
    ),
    (
        "__ravelin_stream_ended",
        if_mentioned(STREAM_FLAGS, "__ravelin_end_stream"),
        sig!(Void(Pointer)),
    ),
    (
        "__ravelin_stream_failed",
        if_mentioned(STREAM_FLAGS, "__ravelin_break_stream"),
        sig!(Void(Pointer)),
    ),
    (
        "__ravelin_flush_failed",
        if_mentioned(STREAM_FLAGS, "__ravelin_break_flushed"),
        sig!(Void(Pointer)),
    ),
    (
        "__ravelin_stream_is_at_end",
        if_mentioned(STREAM_FLAGS, "__ravelin_at_end"),
        sig!(Int(Pointer)),
    ),
    ("__ravelin_over_memory", if_mentioned(OVER_MEMORY, "__ravelin_is_over_memory"), sig!(Int())),
    (
        "__ravelin_over_memory_fputs",
        if_mentioned(OVER_MEMORY, "__ravelin_memory_fputs"),
        sig!(Int(Pointer, Pointer)),
    ),
    (
        "__ravelin_over_memory_fputc",
        if_mentioned(OVER_MEMORY, "__ravelin_memory_fputc"),
        sig!(Int(Int, Pointer)),
    ),
    (
        "__ravelin_over_memory_fgetc",
        if_mentioned(OVER_MEMORY, "__ravelin_memory_fgetc"),
        sig!(Int(Pointer)),
    ),
    (
        "__ravelin_over_memory_fgets",
        if_mentioned(OVER_MEMORY, "__ravelin_memory_fgets"),
        sig!(Pointer(Pointer, Int, Pointer)),
    ),
    (
        "__ravelin_over_memory_fflush",
        if_mentioned(OVER_MEMORY, "__ravelin_memory_fflush"),
        sig!(Int(Pointer)),
    ),
    (
        "__ravelin_over_memory_fclose",
        if_mentioned(OVER_MEMORY, "__ravelin_memory_fclose"),
        sig!(Int(Pointer)),
    ),
    (
        "__ravelin_over_memory_rewind",
        if_mentioned(OVER_MEMORY, "__ravelin_memory_rewind"),
        sig!(Void(Pointer)),
    ),
    (
        "__ravelin_no_other_streams",
        if_mentioned(BESIDE_MEMORY, "__ravelin_reject_other_streams"),
        sig!(Void()),
    ),
    ("__ravelin_no_time_zone", if_mentioned(TIME_ZONE, "__ravelin_reject_time_zone"), sig!(Void())),
    (
        "__ravelin_no_reading_back",
        if_mentioned(READERS, "__ravelin_reject_temporary"),
        sig!(Void()),
    ),
    (
        "__ravelin_no_reading_from_pipe",
        if_mentioned(READERS, "__ravelin_reject_pipe"),
        sig!(Void()),
    ),
    (
        "__ravelin_is_self",
        if_mentioned(&["pthread_self", "thrd_current"], "__ravelin_is_own"),
        sig!(Int(UnsignedLong)),
    ),
    (
        "__ravelin_joins",
        if_mentioned(
            &["pthread_detach", "thrd_detach", "pthread_attr_setdetachstate"],
            "__ravelin_check_join",
        ),
        sig!(Void(UnsignedLong)),
    ),
    (
        "__ravelin_cancellation_point",
        if_mentioned(CANCELLATION, "pthread_testcancel"),
        sig!(Void()),
    ),
    (
        "__ravelin_waits_for_thread",
        if_mentioned(CANCELLATION, "__ravelin_check_cancellable_join"),
        sig!(Void()),
    ),
    (
        "__ravelin_reject_with_threads",
        if_mentioned(&["pthread_create", "thrd_create"], "__ravelin_reject_signal"),
        sig!(Void()),
    ),
];

/// Prefixes of names that belong to compilers and verifiers. Such a name that no table has means
/// something that is not modelled; it is never a function of the program's own environment.
const RESERVED: &[&str] = &[
    "__builtin_",
    "__sync_",
    "__atomic_",
    "__c11_atomic_",
    "__scoped_atomic_",
    "__CPROVER_",
    "__ESBMC_",
    "__VERIFIER_",
    "__SMACK_",
    "__goblint_",
    "__llbmc_",
    "__ravelin_",
    "__FC_",
    "Frama_C_",
    "klee_",
];

/// Whether the name is that of a function without effects of which only its arguments are known.
pub(crate) fn is_uninterpreted(name: &str) -> bool {
    ["__CPROVER_uninterpreted_", "__ESBMC_uninterpreted_"].iter().any(|it| name.starts_with(it))
}

/// Whether the name belongs to a compiler or a verifier.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|prefix| name.starts_with(prefix))
}
