// What happens where the program ends. In programs that have something to do there, `exit` and the end of `main` call
// __ravelin_run_exit_functions and then the destructor functions (lower/start.rs).

//: atexit on_exit __ravelin_run_exit_functions
// The last one registered comes first; what they register themselves comes next (C11 7.22.4.4p3 and glibc). A function
// that calls exit leaves the rest to that call, as in glibc.
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __ravelin_unsupported(const char *why);
static void (*__ravelin_exit_functions[32])(void);
static void (*__ravelin_exit_functions_with_status[32])(int, void *);
static void *__ravelin_exit_arguments[32];
static unsigned __ravelin_exit_count;
static unsigned __ravelin_next_exit_function(void) {
    unsigned next;
    __VERIFIER_atomic_begin();
    next = __ravelin_exit_count;
    if (next >= 32) __ravelin_unsupported("more than 32 functions called at exit");
    __ravelin_exit_count = next + 1;
    __VERIFIER_atomic_end();
    return next;
}
int atexit(void (*function)(void)) {
    unsigned next = __ravelin_next_exit_function();
    __ravelin_exit_functions[next] = function;
    return 0;
}
int on_exit(void (*function)(int, void *), void *argument) {
    unsigned next = __ravelin_next_exit_function();
    __ravelin_exit_functions[next] = 0;
    __ravelin_exit_functions_with_status[next] = function;
    __ravelin_exit_arguments[next] = argument;
    return 0;
}
void __ravelin_run_exit_functions(int status) {
    while (__ravelin_exit_count > 0) {
        unsigned last = __ravelin_exit_count - 1;
        void (*function)(void) = __ravelin_exit_functions[last];
        __ravelin_exit_count = last;
        if (function != 0) {
            function();
        } else {
            __ravelin_exit_functions_with_status[last](status, __ravelin_exit_arguments[last]);
        }
    }
}

//: at_quick_exit quick_exit
void __ravelin_unsupported(const char *why);
void _exit(int status);
static void (*__ravelin_quick_functions[32])(void);
static unsigned __ravelin_quick_count;
int at_quick_exit(void (*function)(void)) {
    if (__ravelin_quick_count >= 32) __ravelin_unsupported("more than 32 functions called at exit");
    __ravelin_quick_functions[__ravelin_quick_count] = function;
    __ravelin_quick_count++;
    return 0;
}
void quick_exit(int status) {
    while (__ravelin_quick_count > 0) {
        __ravelin_quick_count--;
        __ravelin_quick_functions[__ravelin_quick_count]();
    }
    _exit(status);
}

//: _exit _Exit
// Nothing is called.
void __ravelin_exit_now(int status);
void _exit(int status) {
    __ravelin_exit_now(status);
}
void _Exit(int status) {
    __ravelin_exit_now(status);
}

//: __ravelin_thread_starts __ravelin_thread_ends
// Main may leave by pthread_exit: then the program ends with its last thread, and as if by exit(0).
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void exit(int status);
static unsigned __ravelin_threads_left = 1;
void __ravelin_thread_starts(void) {
    __VERIFIER_atomic_begin();
    __ravelin_threads_left++;
    __VERIFIER_atomic_end();
}
void __ravelin_thread_ends(void) {
    unsigned left;
    __VERIFIER_atomic_begin();
    left = __ravelin_threads_left - 1;
    __ravelin_threads_left = left;
    __VERIFIER_atomic_end();
    if (left == 0) exit(0);
}
