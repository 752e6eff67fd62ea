//! Functions of ISO C, POSIX and glibc that need code, have no effect or are not modelled.

use super::super::intrinsic::{Intrinsic, MemoryFunction};
use super::{ANY, Model, Row, ZERO, does, print, sig};

pub(super) const TERMINATION: &[Row] = &[
    ("abort", does(Intrinsic::Abort), sig!(Void())),
    ("exit", does(Intrinsic::Exit), sig!(Void(Int))),
    // <err.h>: prints a message and exits.
    ("err", does(Intrinsic::Exit), sig!(Void(Int, Pointer, ...))),
    ("errx", does(Intrinsic::Exit), sig!(Void(Int, Pointer, ...))),
    ("verr", does(Intrinsic::Exit), sig!(Void(Int, Pointer, Pointer))),
    ("verrx", does(Intrinsic::Exit), sig!(Void(Int, Pointer, Pointer))),
    // The buffer checks of gcc call these.
    ("__stack_chk_fail", does(Intrinsic::Abort), sig!(Void())),
    ("__chk_fail", does(Intrinsic::Abort), sig!(Void())),
    ("__fortify_fail", does(Intrinsic::Abort), sig!(Void(Pointer))),
    // The expansion of `assert`: in glibc and musl, in glibc's old form, in newlib, in the
    // libraries of the BSDs, of Android, of macOS, of Solaris and of Windows.
    ("__assert_fail", does(Intrinsic::AssertFail), sig!(Void(Pointer, Pointer, Unsigned, Pointer))),
    (
        "__assert_perror_fail",
        does(Intrinsic::AssertFail),
        sig!(Void(Int, Pointer, Unsigned, Pointer)),
    ),
    ("__assert", does(Intrinsic::AssertFail), sig!(Void(Pointer, Pointer, Int))),
    ("__assert_rtn", does(Intrinsic::AssertFail), sig!(Void(Pointer, Pointer, Int, Pointer))),
    ("__assert_func", does(Intrinsic::AssertFail), sig!(Void(Pointer, Int, Pointer, Pointer))),
    ("__assert13", does(Intrinsic::AssertFail), sig!(Void(Pointer, Int, Pointer, Pointer))),
    ("__assert2", does(Intrinsic::AssertFail), sig!(Void(Pointer, Int, Pointer, Pointer))),
    ("__assert_c99", does(Intrinsic::AssertFail), sig!(Void(Pointer, Pointer, Int, Pointer))),
    ("_assert", does(Intrinsic::AssertFail), sig!(Void(Pointer, Pointer, Unsigned))),
    ("_wassert", does(Intrinsic::AssertFail), sig!(Void(Pointer, Pointer, Unsigned))),
];

const fn memory(function: MemoryFunction) -> Model {
    Model::Intrinsic(Intrinsic::Memory(function))
}

pub(super) const MEMORY: &[Row] = &[
    ("malloc", memory(MemoryFunction::Allocate), sig!(Pointer(Size))),
    ("aligned_alloc", memory(MemoryFunction::AllocateAligned), sig!(Pointer(Size, Size))),
    ("memalign", memory(MemoryFunction::AllocateAligned), sig!(Pointer(Size, Size))),
    ("calloc", memory(MemoryFunction::AllocateZeroed), sig!(Pointer(Size, Size))),
    ("realloc", memory(MemoryFunction::Reallocate), sig!(Pointer(Pointer, Size))),
    ("free", memory(MemoryFunction::Free), sig!(Void(Pointer))),
    ("cfree", memory(MemoryFunction::Free), sig!(Void(Pointer))),
    ("alloca", memory(MemoryFunction::AllocateOnStack), sig!(Pointer(Size))),
    (
        "__builtin_alloca_with_align",
        memory(MemoryFunction::AllocateOnStack),
        sig!(Pointer(Size, Size)),
    ),
    ("memcpy", does(Intrinsic::CopyMemory), sig!(Pointer(Pointer, Pointer, Size))),
    ("memmove", does(Intrinsic::CopyMemory), sig!(Pointer(Pointer, Pointer, Size))),
    ("memset", does(Intrinsic::FillMemory), sig!(Pointer(Pointer, Int, Size))),
    // The calls of _FORTIFY_SOURCE: the last argument is the size of the destination.
    ("__memcpy_chk", does(Intrinsic::CopyMemory), sig!(Pointer(Pointer, Pointer, Size, Size))),
    ("__memmove_chk", does(Intrinsic::CopyMemory), sig!(Pointer(Pointer, Pointer, Size, Size))),
    ("__memset_chk", does(Intrinsic::FillMemory), sig!(Pointer(Pointer, Int, Size, Size))),
];

const WIDE: Model = Model::Unsupported("formatted wide characters");

pub(super) const OUTPUT: &[Row] = &[
    ("printf", print(0), sig!(Int(Pointer, ...))),
    ("fprintf", print(1), sig!(Int(Pointer, Pointer, ...))),
    ("dprintf", print(1), sig!(Int(Int, Pointer, ...))),
    ("__printf_chk", print(1), sig!(Int(Int, Pointer, ...))),
    ("__fprintf_chk", print(2), sig!(Int(Pointer, Int, Pointer, ...))),
    ("wprintf", WIDE, sig!(Int(Pointer, ...))),
    ("swprintf", WIDE, sig!(Int(Pointer, Size, Pointer, ...))),
    ("perror", ANY, sig!(Void(Pointer))),
    ("syslog", does(Intrinsic::Log { format: 1 }), sig!(Void(Int, Pointer, ...))),
    ("warn", does(Intrinsic::Log { format: 0 }), sig!(Void(Pointer, ...))),
    ("warnx", does(Intrinsic::Log { format: 0 }), sig!(Void(Pointer, ...))),
    ("openlog", ANY, sig!(Void(Pointer, Int, Int))),
    ("closelog", ANY, sig!(Void())),
];

const LINE: Model = Model::Unsupported("input lines of any length");

pub(super) const INPUT: &[Row] = &[
    ("gets", LINE, sig!(Pointer(Pointer))),
    ("fileno", does(Intrinsic::FileNumber), sig!(Int(Pointer))),
    ("fileno_unlocked", does(Intrinsic::FileNumber), sig!(Int(Pointer))),
];

const JUMP: Model = Model::Unsupported("jumps out of functions");
const SIGNAL: Model = Model::Unsupported("waiting for signals");
const TIMER: Model = Model::Unsupported("signals of timers");
const PROCESS: Model = Model::Unsupported("processes");
const CALENDAR: Model = Model::Unsupported("local time");
const CASE_TABLE: Model = Model::Unsupported("tables of upper and lower case");
const LOADING: Model = Model::Unsupported("dynamic loading");

const FLAGS: Model = Model::Unsupported("exception flags of floats");

/// `<fenv.h>`; exception flags can be set, because no modelled function reads them.
pub(super) const FLOAT_ENVIRONMENT: &[Row] = &[
    ("fegetround", does(Intrinsic::GetRounding), sig!(Int())),
    ("fesetround", does(Intrinsic::SetRounding), sig!(Int(Int))),
    ("feclearexcept", ZERO, sig!(Int(Int))),
    ("feraiseexcept", ZERO, sig!(Int(Int))),
    ("fetestexcept", FLAGS, sig!(Int(Int))),
    ("fegetexceptflag", FLAGS, sig!(Int(Pointer, Int))),
    ("fesetexceptflag", FLAGS, sig!(Int(Pointer, Int))),
    ("feenableexcept", FLAGS, sig!(Int(Int))),
    ("fedisableexcept", FLAGS, sig!(Int(Int))),
    ("fegetexcept", FLAGS, sig!(Int())),
];

pub(super) const SYSTEM: &[Row] = &[
    ("setjmp", does(Intrinsic::SetJump), sig!(Int(Pointer))),
    ("_setjmp", does(Intrinsic::SetJump), sig!(Int(Pointer))),
    ("__builtin_setjmp", does(Intrinsic::SetJump), sig!(Int(Pointer))),
    ("sigsetjmp", does(Intrinsic::SetJump), sig!(Int(Pointer, Int))),
    ("__sigsetjmp", does(Intrinsic::SetJump), sig!(Int(Pointer, Int))),
    ("longjmp", does(Intrinsic::LongJump), sig!(Void(Pointer, Int))),
    ("_longjmp", does(Intrinsic::LongJump), sig!(Void(Pointer, Int))),
    ("siglongjmp", does(Intrinsic::LongJump), sig!(Void(Pointer, Int))),
    ("__builtin_longjmp", does(Intrinsic::LongJump), sig!(Void(Pointer, Int))),
    ("getcontext", JUMP, sig!(Int(Pointer))),
    ("setcontext", JUMP, sig!(Int(Pointer))),
    ("makecontext", JUMP, sig!(Void(Pointer, Pointer, Int, ...))),
    ("swapcontext", JUMP, sig!(Int(Pointer, Pointer))),
    ("sigwait", SIGNAL, sig!(Int(Pointer, Pointer))),
    ("sigwaitinfo", SIGNAL, sig!(Int(Pointer, Pointer))),
    ("sigtimedwait", SIGNAL, sig!(Int(Pointer, Pointer, Pointer))),
    ("sigsuspend", SIGNAL, sig!(Int(Pointer))),
    ("sigaltstack", SIGNAL, sig!(Int(Pointer, Pointer))),
    ("pause", SIGNAL, sig!(Int())),
    ("sigqueue", Model::Unsupported("signals with values"), None),
    ("alarm", TIMER, sig!(Unsigned(Unsigned))),
    ("ualarm", TIMER, sig!(Unsigned(Unsigned, Unsigned))),
    ("setitimer", TIMER, sig!(Int(Int, Pointer, Pointer))),
    ("fork", PROCESS, sig!(Int())),
    ("vfork", PROCESS, sig!(Int())),
    ("system", PROCESS, sig!(Int(Pointer))),
    ("execl", PROCESS, sig!(Int(Pointer, Pointer, ...))),
    ("execlp", PROCESS, sig!(Int(Pointer, Pointer, ...))),
    ("execv", PROCESS, sig!(Int(Pointer, Pointer))),
    ("execve", PROCESS, sig!(Int(Pointer, Pointer, Pointer))),
    ("execvp", PROCESS, sig!(Int(Pointer, Pointer))),
    ("clone", PROCESS, sig!(Int(Pointer, Pointer, Int, Pointer, ...))),
    ("syscall", PROCESS, sig!(Long(Long, ...))),
    ("setuid", PROCESS, sig!(Int(Unsigned))),
    ("seteuid", PROCESS, sig!(Int(Unsigned))),
    ("setreuid", PROCESS, sig!(Int(Unsigned, Unsigned))),
    ("setresuid", PROCESS, sig!(Int(Unsigned, Unsigned, Unsigned))),
    ("setgid", PROCESS, sig!(Int(Unsigned))),
    ("setegid", PROCESS, sig!(Int(Unsigned))),
    ("setregid", PROCESS, sig!(Int(Unsigned, Unsigned))),
    ("setresgid", PROCESS, sig!(Int(Unsigned, Unsigned, Unsigned))),
    ("dlopen", LOADING, sig!(Pointer(Pointer, Int))),
    ("dlsym", LOADING, sig!(Pointer(Pointer, Pointer))),
    ("wcsftime", CALENDAR, sig!(Size(Pointer, Size, Pointer, Pointer))),
    ("__ctype_tolower_loc", CASE_TABLE, sig!(Pointer())),
    ("__ctype_toupper_loc", CASE_TABLE, sig!(Pointer())),
    ("sched_yield", ZERO, sig!(Int())),
    ("srand", ANY, sig!(Void(Unsigned))),
    ("srandom", ANY, sig!(Void(Unsigned))),
];
