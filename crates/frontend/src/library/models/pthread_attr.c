// The attributes of <pthread.h>, as glibc keeps and checks them. pthread_attr_t has 36 bytes in ILP32 and 56 in LP64,
// those of read-write locks have 8, the others 4.

//: pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_getdetachstate pthread_attr_setscope pthread_attr_getscope pthread_attr_setinheritsched pthread_attr_getinheritsched pthread_attr_setschedpolicy pthread_attr_getschedpolicy pthread_attr_setschedparam pthread_attr_getschedparam pthread_attr_setguardsize pthread_attr_getguardsize pthread_attr_setstacksize pthread_attr_getstacksize pthread_attr_setstack pthread_attr_getstack
// The detach state comes first: pthread_create looks for it there. A stack of size 0 has the size that the process
// gives its threads, which is the same whenever it is asked for.
struct __ravelin_attributes {
    int detached;
    int scope;
    int explicit_scheduling;
    int policy;
    int priority;
    unsigned long guard;
    void *stack;
    unsigned long size;
};
extern unsigned long __ravelin_stack_size;
int pthread_attr_init(struct __ravelin_attributes *attributes) {
    attributes->detached = 0;
    attributes->scope = 0;
    attributes->explicit_scheduling = 0;
    attributes->policy = 0;
    attributes->priority = 0;
    attributes->guard = 4096;
    attributes->stack = 0;
    attributes->size = 0;
    return 0;
}
int pthread_attr_destroy(struct __ravelin_attributes *attributes) {
    return 0;
}
// PTHREAD_CREATE_JOINABLE 0, PTHREAD_CREATE_DETACHED 1.
int pthread_attr_setdetachstate(struct __ravelin_attributes *attributes, int state) {
    if (state != 0 && state != 1) return 22; /* EINVAL */
    attributes->detached = state;
    return 0;
}
int pthread_attr_getdetachstate(const struct __ravelin_attributes *attributes, int *state) {
    *state = attributes->detached;
    return 0;
}
// PTHREAD_SCOPE_SYSTEM 0; Linux has no PTHREAD_SCOPE_PROCESS 1.
int pthread_attr_setscope(struct __ravelin_attributes *attributes, int scope) {
    if (scope == 1) return 95; /* ENOTSUP */
    if (scope != 0) return 22; /* EINVAL */
    attributes->scope = 0;
    return 0;
}
int pthread_attr_getscope(const struct __ravelin_attributes *attributes, int *scope) {
    *scope = attributes->scope;
    return 0;
}
// PTHREAD_INHERIT_SCHED 0, PTHREAD_EXPLICIT_SCHED 1.
int pthread_attr_setinheritsched(struct __ravelin_attributes *attributes, int inherit) {
    if (inherit != 0 && inherit != 1) return 22; /* EINVAL */
    attributes->explicit_scheduling = inherit;
    return 0;
}
int pthread_attr_getinheritsched(const struct __ravelin_attributes *attributes, int *inherit) {
    *inherit = attributes->explicit_scheduling;
    return 0;
}
// SCHED_OTHER 0, SCHED_FIFO 1, SCHED_RR 2.
int pthread_attr_setschedpolicy(struct __ravelin_attributes *attributes, int policy) {
    if (policy < 0 || policy > 2) return 22; /* EINVAL */
    attributes->policy = policy;
    return 0;
}
int pthread_attr_getschedpolicy(const struct __ravelin_attributes *attributes, int *policy) {
    *policy = attributes->policy;
    return 0;
}
// struct sched_param is an int.
int pthread_attr_setschedparam(struct __ravelin_attributes *attributes, const int *priority) {
    if (attributes->policy == 0 ? *priority != 0 : *priority < 1 || *priority > 99) return 22; /* EINVAL */
    attributes->priority = *priority;
    return 0;
}
int pthread_attr_getschedparam(const struct __ravelin_attributes *attributes, int *priority) {
    *priority = attributes->priority;
    return 0;
}
int pthread_attr_setguardsize(struct __ravelin_attributes *attributes, unsigned long size) {
    attributes->guard = size;
    return 0;
}
int pthread_attr_getguardsize(const struct __ravelin_attributes *attributes, unsigned long *size) {
    *size = attributes->guard;
    return 0;
}
// PTHREAD_STACK_MIN is 16384.
int pthread_attr_setstacksize(struct __ravelin_attributes *attributes, unsigned long size) {
    if (size < 16384) return 22; /* EINVAL */
    attributes->size = size;
    return 0;
}
int pthread_attr_getstacksize(const struct __ravelin_attributes *attributes, unsigned long *size) {
    unsigned long usual = __ravelin_stack_size < 16384 ? 8388608 : __ravelin_stack_size;
    *size = attributes->size == 0 ? usual : attributes->size;
    return 0;
}
int pthread_attr_setstack(struct __ravelin_attributes *attributes, void *stack, unsigned long size) {
    if (size < 16384) return 22; /* EINVAL */
    attributes->stack = stack;
    attributes->size = size;
    return 0;
}
int pthread_attr_getstack(const struct __ravelin_attributes *attributes, void **stack, unsigned long *size) {
    *stack = attributes->stack;
    *size = attributes->size;
    return 0;
}

//: pthread_condattr_init pthread_condattr_setclock pthread_condattr_getclock pthread_condattr_setpshared pthread_condattr_getpshared
// Bit 0: whether processes share it; then the clock, which is CLOCK_REALTIME 0 or CLOCK_MONOTONIC 1.
int pthread_condattr_init(int *bits) {
    *bits = 0;
    return 0;
}
int pthread_condattr_setclock(int *bits, int clock) {
    if (clock != 0 && clock != 1) return 22; /* EINVAL */
    *bits = (*bits & 1) | clock << 1;
    return 0;
}
int pthread_condattr_getclock(const int *bits, int *clock) {
    *clock = *bits >> 1 & 1;
    return 0;
}
int pthread_condattr_setpshared(int *bits, int shared) {
    if (shared != 0 && shared != 1) return 22; /* EINVAL */
    *bits = (*bits & ~1) | shared;
    return 0;
}
int pthread_condattr_getpshared(const int *bits, int *shared) {
    *shared = *bits & 1;
    return 0;
}

//: pthread_rwlockattr_init pthread_rwlockattr_setkind_np pthread_rwlockattr_getkind_np pthread_rwlockattr_setpshared pthread_rwlockattr_getpshared
int pthread_rwlockattr_init(int *attributes) {
    attributes[0] = 0;
    attributes[1] = 0;
    return 0;
}
int pthread_rwlockattr_setkind_np(int *attributes, int kind) {
    if (kind < 0 || kind > 2) return 22; /* EINVAL */
    attributes[0] = kind;
    return 0;
}
int pthread_rwlockattr_getkind_np(const int *attributes, int *kind) {
    *kind = attributes[0];
    return 0;
}
int pthread_rwlockattr_setpshared(int *attributes, int shared) {
    if (shared != 0 && shared != 1) return 22; /* EINVAL */
    attributes[1] = shared;
    return 0;
}
int pthread_rwlockattr_getpshared(const int *attributes, int *shared) {
    *shared = attributes[1];
    return 0;
}

//: pthread_barrierattr_init pthread_barrierattr_setpshared pthread_barrierattr_getpshared
int pthread_barrierattr_init(int *shared) {
    *shared = 0;
    return 0;
}
int pthread_barrierattr_setpshared(int *attribute, int shared) {
    if (shared != 0 && shared != 1) return 22; /* EINVAL */
    *attribute = shared;
    return 0;
}
int pthread_barrierattr_getpshared(const int *attribute, int *shared) {
    *shared = *attribute;
    return 0;
}
