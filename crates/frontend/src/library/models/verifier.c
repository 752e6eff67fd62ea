// Functions of verifiers that are not primitive.

//: __ravelin_fill_with_inputs
unsigned char __VERIFIER_nondet_uchar(void);
void __ravelin_fill_with_inputs(void *memory, unsigned long size) {
    unsigned char *bytes = memory;
    unsigned long i;
    for (i = 0; i < size; i++) bytes[i] = __VERIFIER_nondet_uchar();
}

//: __CPROVER_allocate
void *malloc(unsigned long size);
void *calloc(unsigned long count, unsigned long size);
void *__CPROVER_allocate(unsigned long size, int zero) {
    return zero ? calloc(1, size) : malloc(size);
}

//: klee_range
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(_Bool condition, ...);
int klee_range(int begin, int end, char *name) {
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(begin <= value && value < end);
    return value;
}

//: klee_choose
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(_Bool condition, ...);
unsigned long klee_choose(unsigned long n) {
    unsigned long value = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(value < n);
    return value;
}

//: Frama_C_nondet
int __VERIFIER_nondet_int(void);
int Frama_C_nondet(int a, int b) {
    return __VERIFIER_nondet_int() ? a : b;
}

//: Frama_C_nondet_ptr
int __VERIFIER_nondet_int(void);
void *Frama_C_nondet_ptr(void *a, void *b) {
    return __VERIFIER_nondet_int() ? a : b;
}

//: Frama_C_interval
//= Frama_C_interval -> Frama_C_interval_split
//= int -> char, __VERIFIER_nondet_int -> __VERIFIER_nondet_char, Frama_C_interval -> Frama_C_char_interval
//= int -> unsigned char, __VERIFIER_nondet_int -> __VERIFIER_nondet_uchar, Frama_C_interval -> Frama_C_unsigned_char_interval
//= int -> short, __VERIFIER_nondet_int -> __VERIFIER_nondet_short, Frama_C_interval -> Frama_C_short_interval
//= int -> unsigned short, __VERIFIER_nondet_int -> __VERIFIER_nondet_ushort, Frama_C_interval -> Frama_C_unsigned_short_interval
//= Frama_C_interval -> Frama_C_int_interval
//= int -> unsigned, __VERIFIER_nondet_int -> __VERIFIER_nondet_uint, Frama_C_interval -> Frama_C_unsigned_int_interval
//= int -> long, __VERIFIER_nondet_int -> __VERIFIER_nondet_long, Frama_C_interval -> Frama_C_long_interval
//= int -> unsigned long, __VERIFIER_nondet_int -> __VERIFIER_nondet_ulong, Frama_C_interval -> Frama_C_unsigned_long_interval
//= int -> long long, __VERIFIER_nondet_int -> __VERIFIER_nondet_longlong, Frama_C_interval -> Frama_C_long_long_interval
//= int -> unsigned long long, __VERIFIER_nondet_int -> __VERIFIER_nondet_ulonglong, Frama_C_interval -> Frama_C_unsigned_long_long_interval
//= int -> unsigned long, __VERIFIER_nondet_int -> __VERIFIER_nondet_ulong, Frama_C_interval -> Frama_C_size_t_interval
//= int -> float, __VERIFIER_nondet_int -> __VERIFIER_nondet_float, Frama_C_interval -> Frama_C_float_interval
//= int -> double, __VERIFIER_nondet_int -> __VERIFIER_nondet_double, Frama_C_interval -> Frama_C_double_interval
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(_Bool condition, ...);
int Frama_C_interval(int min, int max) {
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(min <= value && value <= max);
    return value;
}

//: __goblint_assume_join
int pthread_join(unsigned long thread, void **result);
void __goblint_assume_join(unsigned long thread) {
    pthread_join(thread, 0);
}

//: __VERIFIER_thread_create
// GenMC's threads have small numbers.
int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument);
int __VERIFIER_thread_create(const void *attributes, void *(*start)(void *), void *argument) {
    unsigned long thread;
    pthread_create(&thread, 0, start, argument);
    return (int)thread;
}

//: __VERIFIER_thread_create_symmetric
int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument);
int __VERIFIER_thread_create_symmetric(const void *attributes, void *(*start)(void *), void *argument, int same) {
    unsigned long thread;
    pthread_create(&thread, 0, start, argument);
    return (int)thread;
}

//: __VERIFIER_thread_join
int pthread_join(unsigned long thread, void **result);
void *__VERIFIER_thread_join(int thread) {
    void *result;
    pthread_join(thread, &result);
    return result;
}

//: __VERIFIER_hazptr_alloc
void *malloc(unsigned long size);
void *__VERIFIER_hazptr_alloc(void) {
    return malloc(sizeof(void *));
}

//: __CPROVER_array_equal
// Of elements of one type: objects of one size with the same bytes.
unsigned long __CPROVER_OBJECT_SIZE(const void *p);
unsigned long __CPROVER_POINTER_OFFSET(const void *p);
void __ravelin_unsupported(const char *why);
int __CPROVER_array_equal(const void *a, const void *b) {
    const unsigned char *x = a, *y = b;
    unsigned long size = __CPROVER_OBJECT_SIZE(a), i;
    if (__CPROVER_POINTER_OFFSET(a) != 0 || __CPROVER_POINTER_OFFSET(b) != 0)
        __ravelin_unsupported("__CPROVER_array_equal inside of arrays");
    if (size != __CPROVER_OBJECT_SIZE(b)) return 0;
    for (i = 0; i < size; i++)
        if (x[i] != y[i]) return 0;
    return 1;
}

//: __CPROVER_array_copy
unsigned long __CPROVER_OBJECT_SIZE(const void *p);
unsigned long __CPROVER_POINTER_OFFSET(const void *p);
void __ravelin_unsupported(const char *why);
void *memcpy(void *to, const void *from, unsigned long size);
void __CPROVER_array_copy(const void *to, const void *from) {
    unsigned long size = __CPROVER_OBJECT_SIZE(to) - __CPROVER_POINTER_OFFSET(to);
    if (size > __CPROVER_OBJECT_SIZE(from) - __CPROVER_POINTER_OFFSET(from))
        __ravelin_unsupported("__CPROVER_array_copy of a shorter array");
    memcpy((void *)to, from, size);
}

//: __CPROVER_array_replace
// The rest of a longer array stays.
unsigned long __CPROVER_OBJECT_SIZE(const void *p);
unsigned long __CPROVER_POINTER_OFFSET(const void *p);
void *memcpy(void *to, const void *from, unsigned long size);
void __CPROVER_array_replace(const void *to, const void *from) {
    unsigned long room = __CPROVER_OBJECT_SIZE(to) - __CPROVER_POINTER_OFFSET(to);
    unsigned long size = __CPROVER_OBJECT_SIZE(from) - __CPROVER_POINTER_OFFSET(from);
    memcpy((void *)to, from, size < room ? size : room);
}

//: __CPROVER_is_zero_string __CPROVER_zero_string_length
unsigned long __CPROVER_OBJECT_SIZE(const void *p);
unsigned long __CPROVER_POINTER_OFFSET(const void *p);
void __ravelin_unsupported(const char *why);
static unsigned long __ravelin_first_zero(const void *p) {
    const char *text = p;
    unsigned long room = __CPROVER_OBJECT_SIZE(p) - __CPROVER_POINTER_OFFSET(p), i;
    for (i = 0; i < room; i++)
        if (text[i] == 0) return i;
    return room;
}
int __CPROVER_is_zero_string(const void *p) {
    return __ravelin_first_zero(p) < __CPROVER_OBJECT_SIZE(p) - __CPROVER_POINTER_OFFSET(p);
}
unsigned long __CPROVER_zero_string_length(const void *p) {
    unsigned long length = __ravelin_first_zero(p);
    if (length == __CPROVER_OBJECT_SIZE(p) - __CPROVER_POINTER_OFFSET(p))
        __ravelin_unsupported("__CPROVER_zero_string_length of what is no string");
    return length;
}
