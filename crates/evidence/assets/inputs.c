/* Inputs, in the order in which each thread takes them. */

static RAVELIN_THREAD int ravelin_me;

/* Not memcpy: that may be the program's, or one that puts threads in order. */
static void ravelin_copy(void *to, const void *from, unsigned long size) {
    for (unsigned long i = 0; i < size; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
}

/* Not strcmp, for the same reason. */
static int ravelin_equal(const char *one, const char *other) {
    while (*one && *one == *other)
        one++, other++;
    return *one == *other;
}

/* The next input of a function; the last one, which is nobody's, if there is none. */
static int ravelin_next(const char *function) {
    static char taken[sizeof ravelin_inputs / sizeof *ravelin_inputs];
    static int first;
    int i = first;
    for (; ravelin_inputs[i].function; i++)
        if (!taken[i] && ravelin_inputs[i].thread == ravelin_me &&
            ravelin_equal(ravelin_inputs[i].function, function)) {
            taken[i] = 1;
            break;
        }
    while (taken[first])
        first++;
    return i;
}

static unsigned long long ravelin_input(const char *function) {
    int i = ravelin_next(function);
    return (unsigned long)ravelin_inputs[i].base + ravelin_inputs[i].low;
}

static void ravelin_bytes(const char *function, char *to, unsigned long size) {
    for (unsigned long at = 0; at < size; at += 8) {
        unsigned long long bits = ravelin_input(function);
        ravelin_copy(to + at, &bits, size - at < 8 ? size - at : 8);
    }
}

#define RAVELIN_GIVE(type, name, size)                                                     \
    static type name(const char *function) {                                               \
        type value = 0;                                                                    \
        int i = ravelin_next(function);                                                    \
        unsigned long long bits[2] = {ravelin_inputs[i].low, ravelin_inputs[i].high};      \
        ravelin_copy(&value, bits, size);                                                  \
        return value;                                                                      \
    }

RAVELIN_GIVE(float, ravelin_float, 4)
RAVELIN_GIVE(double, ravelin_double, 8)
/* Of the x87, of which the rest is padding. */
RAVELIN_GIVE(long double, ravelin_long_double, 10)
RAVELIN_GIVE(_Float128, ravelin_float128, 16)
#ifdef __SIZEOF_INT128__
RAVELIN_GIVE(unsigned __int128, ravelin_wide, 16)
#endif

static void ravelin_end(int status) {
    for (;;)
        syscall(SYS_exit_group, status);
}

/* Ends the run where it is not that of the counterexample any more. */
static void ravelin_astray(const char *why) {
    fprintf(stderr, "ravelin: not reproduced: %s\n", why);
    ravelin_end(RAVELIN_NOT_REPRODUCED);
}

#ifdef RAVELIN_UNDEFINED
/* A sanitizer detects the error; a call of an error function comes on another way. */
static void ravelin_error(void) { ravelin_astray("an error function was called"); }

const char *__asan_default_options(void) {
    return "detect_stack_use_after_return=1:detect_leaks=0";
}
#else
static void ravelin_error(void) {
    static const char message[] = "ravelin: the error is reached\n";
    if (write(2, message, sizeof message - 1)) {
    }
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
}
#endif

#define RAVELIN_WEAK __attribute__((weak))

RAVELIN_WEAK void reach_error(void) { ravelin_error(); }
RAVELIN_WEAK void __VERIFIER_error(void) { ravelin_error(); }
RAVELIN_WEAK void __assert_rtn() { ravelin_error(); }
RAVELIN_WEAK void _assert() { ravelin_error(); }
RAVELIN_WEAK void __VERIFIER_assert(int holds) {
    if (!holds)
        ravelin_error();
}
RAVELIN_WEAK void __VERIFIER_assume(int holds) {
    if (!holds)
        ravelin_astray("an assumption does not hold");
}
RAVELIN_WEAK void __VERIFIER_atomic_begin(void) {}
RAVELIN_WEAK void __VERIFIER_atomic_end(void) {}

/* To end without the error is to miss it. */
RAVELIN_WEAK void abort(void) {
    ravelin_astray("the program was aborted");
    __builtin_unreachable();
}
#define RAVELIN_EXIT(name)                                  \
    RAVELIN_WEAK void name(int status) {                    \
        ravelin_astray("the program came to its end");      \
        __builtin_unreachable();                            \
    }
RAVELIN_EXIT(_exit)
RAVELIN_EXIT(_Exit)
RAVELIN_EXIT(quick_exit)

/* What an opened file is. */
void *__ravelin_file(void) {
    void *(*open_file)(const char *, const char *) =
        (void *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen");
    return open_file ? open_file("/dev/null", "r+") : 0;
}

void __ravelin_unsupported(const char *why) { ravelin_astray(why); }

/* The symbols of this executable, static ones among them. It is linked without -pie, so that they are addresses. */
static ElfW(Sym) *ravelin_symbols;
static unsigned long ravelin_symbol_count;
static const char *ravelin_symbol_names;

/* Programs may define the functions whose calls are errors, with any body: they are known when they are entered. */
static void *ravelin_errors[64];
static int ravelin_error_count;

__attribute__((constructor(101))) static void ravelin_load_symbols(void) {
    int file = open("/proc/self/exe", O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) < 0)
        return;
    char *image = mmap(0, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (image == MAP_FAILED)
        return;
    ElfW(Ehdr) *header = (ElfW(Ehdr) *)image;
    ElfW(Shdr) *sections = (ElfW(Shdr) *)(image + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB) {
            ravelin_symbols = (ElfW(Sym) *)(image + sections[i].sh_offset);
            ravelin_symbol_count = sections[i].sh_size / sizeof *ravelin_symbols;
            ravelin_symbol_names = image + sections[sections[i].sh_link].sh_offset;
        }
    for (unsigned long i = 0; i < ravelin_symbol_count; i++) {
        const char *name = ravelin_symbol_names + ravelin_symbols[i].st_name;
        if ((ravelin_equal(name, "reach_error") || ravelin_equal(name, "__VERIFIER_error")) &&
            ravelin_symbols[i].st_value && ravelin_error_count < 64)
            ravelin_errors[ravelin_error_count++] = (void *)ravelin_symbols[i].st_value;
    }
}

void __cyg_profile_func_enter(void *function, void *site) {
    for (int i = 0; i < ravelin_error_count; i++)
        if (ravelin_errors[i] == function)
            ravelin_error();
}

void __cyg_profile_func_exit(void *function, void *site) {}

#ifdef RAVELIN_ARGUMENTS
/* The strings are not known, but for the first. */
int __real_main(int, char **, char **);
int __wrap_main(int count, char **arguments, char **environment) {
    count = (int)ravelin_input(RAVELIN_ARGUMENTS);
    arguments = calloc((unsigned long)count + 1, sizeof *arguments);
    for (int i = 0; arguments && i < count && i < 1000; i++)
        arguments[i] = i ? "" : "program";
    return __real_main(count, arguments, environment);
}
#endif

static int ravelin_is_last(void);

/* To come to the end of the program is to miss the error. */
static void ravelin_exit(void) {
    for (long waited = 0; !ravelin_is_last() && waited < 50000; waited++) {
        struct timespec time = {0, 200000};
        nanosleep(&time, 0);
    }
    ravelin_astray("the program came to its end");
}

__attribute__((constructor(102))) static void ravelin_begin(void) { atexit(ravelin_exit); }
