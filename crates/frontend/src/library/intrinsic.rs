//! The library functions that are lowered by code, grouped by how they are lowered.
//!
//! A variant says what to do; the [table](super::table) maps functions to variants. Unless said
//! otherwise the arguments are those of the C function, in order, and arguments that a variant does
//! not mention are evaluated and dropped.

use ravelin_cfa::SyncOp;
use ravelin_term::{FloatKind, Rounding};

/// Names by which a program reads `errno`: glibc's and those of other libraries.
pub const ERRNO: &[&str] = &["__errno_location", "__errno", "___errno"];

/// Names by which a program cancels threads.
pub const CANCELLATION: &[&str] = &["pthread_cancel"];

/// The meaning of a call of a library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intrinsic {
    /// An error call of the reachability property.
    ReachError,
    /// `void __assert_fail(const char *expr, ...)`: a failed `assert`.
    AssertFail,
    /// `void assert(condition)` and similar functions: an error if the first argument is zero.
    Assert,
    /// `void abort(void)`.
    Abort,
    /// `void __builtin_trap(void)`: ends the program as `abort` does.
    Trap,
    /// `void __ravelin_stop(void)`: ends the program as `abort` does, and never counts as an error.
    /// For programs instrumented with a witness.
    Stop,
    /// `void exit(int status)`.
    Exit,
    /// `void __VERIFIER_assume(int condition)`: ends the execution if the condition is zero.
    Assume,
    /// `void klee_make_symbolic(void *p, size_t size)` and similar functions: any contents of
    /// `size` bytes at `p`, which are inputs. The argument of this number is the size; without one,
    /// it is the size of the object that starts at `p`.
    FillWithInputs { size: Option<u8> },
    /// `_Bool __ravelin_quantified(void)` and similar functions: any value, for something that is
    /// not modelled. A proof may pass it, a counterexample may not.
    NotModelled(&'static str),
    /// A function whose result is unknown and that may set `errno`: analyses continue with any
    /// result, and no counterexample passes it.
    OpenResult,
    /// A query about a pointer, answered from its object.
    TestPointer(PointerTest),
    /// `T __VERIFIER_nondet_T(void)`: any value of the result type, which comes from the
    /// declaration or else from [`Entry::signature`](super::Entry::signature).
    Nondet,
    /// `void __VERIFIER_atomic_begin(void)`.
    AtomicBegin,
    /// `void __VERIFIER_atomic_end(void)`.
    AtomicEnd,
    /// `void __ravelin_unsupported(const char *why)`: the answer is UNKNOWN with the string literal
    /// as reason. For C models.
    Unsupported,

    /// `void __ravelin_undefined(const char *what)`: behaviour that C or POSIX leaves undefined;
    /// the answer is UNKNOWN. For C models.
    Undefined,
    /// Calls the library function `then` in programs that mention one of these names, and otherwise
    /// does nothing and returns 0. For C models: effects that no call observes cost nothing.
    IfMentioned { names: &'static [&'static str], then: &'static str },

    /// Heap and stack objects.
    Memory(MemoryFunction),
    /// `void *memcpy(void *dst, const void *src, size_t size)` and `memmove`; the result is `dst`.
    CopyMemory,
    /// `void *memset(void *dst, int byte, size_t size)`; the result is `dst`.
    FillMemory,

    /// `int printf(...)` and similar functions: the argument of this number is the format, and
    /// those after it are its values. The result is any value. A conversion `%n`, which writes to
    /// memory, is unsupported.
    Print { format: u8 },
    /// `void syslog(int priority, const char *format, ...)`: as [`Intrinsic::Print`], but without
    /// output.
    Log { format: u8 },
    /// `int fileno(FILE *stream)`: 0, 1 and 2 if the argument is `stdin`, `stdout` or `stderr` by
    /// name. Other streams are not modelled.
    FileNumber,

    /// Starts, joins and ends threads.
    Thread(ThreadFunction),
    /// `void __pthread_register_cancel(__pthread_unwind_buf_t *)`, where `pthread_cleanup_push` of glibc
    /// expands to it: the handler and its argument are the variables `__cancel_routine` and
    /// `__cancel_arg`.
    PushCleanup,
    /// `void __pthread_unregister_cancel(__pthread_unwind_buf_t *)`, of `pthread_cleanup_pop`.
    PopCleanup,
    /// An operation on a synchronisation object. Its operands are the arguments of the call with
    /// the listed numbers: the address of the object first. The call's result is that of the
    /// operation.
    Sync { op: SyncOp, args: &'static [u8] },
    /// An atomic access.
    Atomic(Atomic),

    /// A function of `<math.h>` or a builtin on floats. All operands have the given kind, or for
    /// type-generic builtins the one that the usual arithmetic conversions give.
    Float { function: FloatFunction, kind: Option<FloatKind> },

    /// `int setjmp(jmp_buf)`.
    SetJump,
    /// `void longjmp(jmp_buf, int)`.
    LongJump,
    /// `int fegetround(void)`.
    GetRounding,
    /// `int fesetround(int)`.
    SetRounding,

    /// `int __builtin_clz(unsigned)` and similar functions: an integer operand of this type, result
    /// `int`.
    Bits { op: BitOp, operand: CType },
    /// `T __builtin_bswapN(T)`: reverses the bytes of an unsigned integer of `bits` bits.
    SwapBytes { bits: u8 },
    /// `bool __builtin_add_overflow(T1 a, T2 b, T3 *result)`: computes in infinite precision,
    /// stores the wrapped value and returns whether it wrapped. With a type all three are of it;
    /// without, each has its own.
    Overflow { op: OverflowOp, operand: Option<CType> },
    /// `bool __builtin_add_overflow_p(T1 a, T2 b, T3 type)`: only returns whether it wraps; `type`
    /// is not evaluated.
    WouldOverflow(OverflowOp),
    /// `__CPROVER_saturating_plus(a, b)`: the number of the operands' type nearest to the exact
    /// result.
    Saturating(OverflowOp),
    /// `__CPROVER_equal(a, b)`: whether the operands have the same representation.
    SameRepresentation,

    /// Builtins that the compiler evaluates.
    Compiler(CompilerFunction),
    /// `va_start` and similar macros (`va_arg` has its own syntax).
    VarArgs(VarArgsFunction),
}

/// Queries about the object that a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerTest {
    /// `_Bool f(const void *p, size_t size)`: whether `size` bytes may be read; without `size`,
    /// those of `*p`.
    Readable,
    /// The same for writing.
    Writable,
    /// `_Bool f(const void *p, const void *q)`: whether both point into one object.
    SameObject,
    /// `size_t f(const void *p)`: the size of the object.
    ObjectSize,
    /// `size_t f(const void *p)`: the distance from the start of the object.
    Offset,
    /// `size_t f(const void *p)`: the size of the object that begins there.
    Rest,
    /// `size_t f(const void *p)`: a number of the object.
    Object,
    /// `_Bool f(const void *p)`: whether there is an object and it is alive.
    IsAlive,
    /// `_Bool f(const void *p)`: whether it may also be written.
    IsWritable,
    /// `_Bool f(const void *p)`: whether it is alive and on the heap.
    IsHeap,
}

/// Functions that allocate and free objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryFunction {
    /// `void *malloc(size_t size)`.
    Allocate,
    /// `void *aligned_alloc(size_t alignment, size_t size)`.
    AllocateAligned,
    /// `void *calloc(size_t count, size_t size)`: NULL if the product overflows.
    AllocateZeroed,
    /// `void *realloc(void *p, size_t size)`.
    Reallocate,
    /// `void free(void *p)`.
    Free,
    /// `void *alloca(size_t size)`: lives as long as the frame of the caller.
    AllocateOnStack,
}

/// Functions on threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadFunction {
    /// `int pthread_create(pthread_t *handle, const pthread_attr_t *attr,
    /// void *(*routine)(void *), void *arg)` (`routine` 2, `arg` 3), and
    /// `int thrd_create(thrd_t *handle, int (*routine)(void *), void *arg)` (`routine` 1, `arg` 2).
    /// Starts the thread, stores its handle (of the type that argument 0 points to), returns 0.
    Create { routine: u8, arg: u8 },
    /// `void *__ravelin_thread_join(unsigned long handle)`: the value with which the thread ended.
    Join,
    /// `void pthread_exit(void *value)`; `void thrd_exit(int value)` is converted to a pointer.
    Exit,
    /// `pthread_t pthread_self(void)`.
    Current,
}

/// An atomic access.
///
/// Memory orders are dropped: every access is sequentially consistent. Arithmetic on pointers is not scaled, as in gcc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    pub action: AtomicAction,
    /// How operands and results of the accessed type are passed.
    pub operands: Operands,
    /// The size of the accessed object in bytes; `None`: that of the type argument 0 points to.
    pub width: Option<u8>,
}

/// How an atomic builtin takes its operands after the address, which is argument 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// As values; the result is the call's.
    Values,
    /// Through pointers, and the result goes through a last pointer.
    Pointers,
}

/// The effect of an atomic access on the object `*p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicAction {
    /// `T f(p)`, or `void f(p, T *result)`.
    Load,
    /// `void f(p, T value)`, or `void f(p, T *value)`.
    Store,
    /// `void f(p)`: stores zero.
    StoreZero,
    /// `T f(p, T value)`, or `void f(p, T *value, T *result)`: returns the old value.
    Exchange,
    /// `bool f(p, T *expected, T desired)`, or with `T *desired`: stores the old value to
    /// `*expected` on failure and returns whether it succeeded.
    CompareExchange(Strength),
    /// `f(p, T expected, T desired)`: returns the old value, or whether it succeeded.
    CompareSwap { result: SwapResult },
    /// `T f(p, T value)`: returns the old or the new value.
    Update { op: UpdateOp, result: UpdateResult },
    /// `bool f(p)`: sets the byte to 1; the result is whether it was nonzero.
    TestAndSet,
    /// `void f(p)`: sets the byte to 0.
    Clear,
}

/// Whether a comparison may fail although the values are equal (C11 7.17.7.4p4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    Strong,
    Weak,
    /// The argument of this number says whether it is weak.
    Argument(u8),
}

/// The result of [`AtomicAction::CompareSwap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapResult {
    Old,
    Success,
}

/// The result of [`AtomicAction::Update`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateResult {
    Old,
    New,
}

/// How [`AtomicAction::Update`] computes the new value from the old one and the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    /// `~(old & operand)`.
    Nand,
    /// The greater or smaller number by the object's type, or as unsigned numbers.
    Max,
    Min,
    UnsignedMax,
    UnsignedMin,
}

/// Functions on floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatFunction {
    /// `fabs`.
    Abs,
    /// `sqrt`.
    Sqrt,
    /// `floor`, `ceil`, `trunc`, `round`, `roundeven`.
    Round(Rounding),
    /// `rint`, `nearbyint`: in the current rounding mode.
    RoundByMode,
    /// `lround`, `llround`: rounded, then converted to this type.
    RoundTo(Rounding, CType),
    /// `lrint`, `llrint`: in the current rounding mode.
    RoundByModeTo(CType),
    /// `fmod(x, y)`.
    Remainder,
    /// `copysign(x, y)`.
    CopySign,
    /// A test: result `int`, 1 or 0.
    Test(FloatTest),
    /// A comparison that is quiet on NaNs: result `int`, 1 or 0.
    Compare(FloatCompare),
    /// `isinf_sign` (also glibc's `isinf`): 1 for infinity, -1 for minus infinity, otherwise 0.
    InfinitySign,
    /// `int __builtin_fpclassify(int nan, int inf, int normal, int subnormal, int zero, T x)`.
    Classify,
    /// `int __fpclassify(T x)`: glibc's 0 NaN, 1 infinite, 2 zero, 3 subnormal, 4 normal.
    GlibcClassify,
    /// `T inf(void)`, `huge_val(void)`.
    Infinity,
    /// `T nan(const char *payload)`: a quiet NaN. The payload is dropped.
    Nan,
}

/// Tests of one float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatTest {
    Nan,
    Infinite,
    Finite,
    /// Neither zero, subnormal, infinite nor NaN.
    Normal,
    /// The sign bit.
    Negative,
}

/// Comparisons of two floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatCompare {
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    LessGreater,
    Unordered,
}

/// Functions that count bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitOp {
    /// Leading zero bits; undefined for 0.
    CountLeadingZeros,
    /// Trailing zero bits; undefined for 0.
    CountTrailingZeros,
    /// Leading bits that equal the sign bit, without it.
    CountRedundantSigns,
    /// One plus the index of the lowest one bit, or 0 for 0.
    FindFirstSet,
    /// The number of one bits modulo 2.
    Parity,
    /// The number of one bits.
    Population,
}

/// Arithmetic with overflow checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverflowOp {
    Add,
    Sub,
    Mul,
}

/// Builtins that need the types or the syntax of their arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompilerFunction {
    /// `int __builtin_constant_p(e)`: whether `e` is a constant expression; not evaluated.
    IsConstant,
    /// `__builtin_choose_expr(constant, a, b)`: `a` or `b`, with its type; the other is not
    /// evaluated.
    ChooseExpression,
    /// `__builtin_complex(re, im)`: the complex number with these parts.
    Complex,
    /// `int __ravelin_types_compatible(sizeof(A), sizeof(B))`: whether the operands of the two
    /// `sizeof` have compatible types.
    TypesCompatible,
    /// `T __builtin_assoc_barrier(T e)` and similar builtins: the value of `e`, with its type.
    Same,
    /// `int __builtin_classify_type(e)`: gcc's number of the kind of type; not evaluated.
    ClassifyType,
    /// `int __builtin_LINE(void)`, `const char *__builtin_FUNCTION(void)`, `const char
    /// *__builtin_FILE(void)`: the position of the call.
    Line,
    FunctionName,
    FileName,
    /// `void __builtin_unreachable(void)`: undefined if reached.
    Unreachable,
    /// `void __builtin_assume(int condition)` of clang and `__assume` of MSVC: undefined if it does
    /// not hold.
    AssumeHolds,
    /// `size_t __builtin_object_size(const void *p, int type)`: the bytes after `p` in its object;
    /// if unknown, 0 if bit 1 of `type` is set and otherwise `(size_t)-1`. `p` is not evaluated.
    ObjectSize,
}

/// Functions on `va_list`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarArgsFunction {
    /// `void va_start(va_list list, last)`.
    Start,
    /// `void va_end(va_list list)`.
    End,
    /// `void va_copy(va_list dst, va_list src)`.
    Copy,
}

/// The types that signatures of library functions consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CType {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    Unsigned,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    /// `size_t`: `unsigned int` in ILP32, `unsigned long` in LP64.
    Size,
    Float,
    Double,
    LongDouble,
    /// `_Float128`.
    Float128,
    /// Any pointer, as `void *`.
    Pointer,
}
