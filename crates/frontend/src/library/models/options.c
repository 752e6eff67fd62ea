// <unistd.h> and <getopt.h>: options of the command line, as GNU reads them.

//: getopt getopt_long getopt_long_only
// Where the format begins with neither + nor -, and POSIXLY_CORRECT is not set, arguments that are no
// options are moved behind those that are. Messages go to standard error, and nowhere here.
char *getenv(const char *name);
void __ravelin_unsupported(const char *why);
char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';
struct __ravelin_option { const char *name; int has_argument; int *flag; int value; };
static char *__ravelin_next_option; /* within an argument of several letters */
static int __ravelin_first_moved;
static int __ravelin_last_moved;
static int __ravelin_order;         /* 0: move, 1: stop, 2: give in order */
static int __ravelin_getopt_begun;
/* Moves the arguments from `__ravelin_first_moved` to `__ravelin_last_moved` behind those that follow
   up to `optind`. */
static void __ravelin_move_arguments(char **argv) {
    int moved = __ravelin_last_moved - __ravelin_first_moved;
    int from;
    for (from = __ravelin_last_moved; from < optind; from++) {
        char *argument = argv[from];
        int to;
        for (to = from; to > from - moved; to--) argv[to] = argv[to - 1];
        argv[from - moved] = argument;
    }
    __ravelin_first_moved += optind - __ravelin_last_moved;
    __ravelin_last_moved = optind;
}
static int __ravelin_same_text(const char *a, const char *b) {
    unsigned long i = 0;
    while (a[i] != 0 && a[i] == b[i]) i++;
    return a[i] == b[i];
}
/* A long option at `__ravelin_next_option`, or -1 if it may be letters. */
static int __ravelin_long_option(int argc, char **argv, const char *letters,
                                 const struct __ravelin_option *options, int *index, int only,
                                 int quiet) {
    unsigned long length = 0;
    int found = -1;
    int ambiguous = 0;
    int i;
    while (__ravelin_next_option[length] != 0 && __ravelin_next_option[length] != '=') length++;
    for (i = 0; options[i].name != 0; i++) {
        unsigned long j = 0;
        while (j < length && options[i].name[j] == __ravelin_next_option[j]) j++;
        if (j < length) continue;
        if (options[i].name[j] == 0) {
            found = i;
            ambiguous = 0;
            break;
        }
        if (found < 0) found = i;
        else if (only || options[i].has_argument != options[found].has_argument
                 || options[i].flag != options[found].flag
                 || options[i].value != options[found].value) ambiguous = 1;
    }
    if (ambiguous) {
        while (*__ravelin_next_option != 0) __ravelin_next_option++;
        optind++;
        optopt = 0;
        return '?';
    }
    if (found < 0) {
        unsigned long j = 0;
        while (letters[j] != 0 && letters[j] != *__ravelin_next_option) j++;
        if (only && argv[optind][1] != '-' && letters[j] != 0) return -1;
        __ravelin_next_option = 0;
        optind++;
        optopt = 0;
        return '?';
    }
    optind++;
    if (__ravelin_next_option[length] == '=') {
        if (options[found].has_argument == 0) {
            __ravelin_next_option += length;
            while (*__ravelin_next_option != 0) __ravelin_next_option++;
            optopt = options[found].value;
            return '?';
        }
        optarg = __ravelin_next_option + length + 1;
    } else if (options[found].has_argument == 1) {
        if (optind >= argc) {
            while (*__ravelin_next_option != 0) __ravelin_next_option++;
            optopt = options[found].value;
            return quiet ? ':' : '?';
        }
        optarg = argv[optind];
        optind++;
    }
    __ravelin_next_option = 0;
    if (index != 0) *index = found;
    if (options[found].flag != 0) {
        *options[found].flag = options[found].value;
        return 0;
    }
    return options[found].value;
}
static int __ravelin_getopt(int argc, char **argv, const char *letters,
                            const struct __ravelin_option *options, int *index, int only) {
    char letter;
    unsigned long at = 0;
    int quiet;
    if (argc < 1) return -1;
    optarg = 0;
    if (optind == 0 || !__ravelin_getopt_begun) {
        if (optind == 0) optind = 1;
        __ravelin_first_moved = optind;
        __ravelin_last_moved = optind;
        __ravelin_next_option = 0;
        __ravelin_order = *letters == '-' ? 2 : *letters == '+' ? 1
            : getenv("POSIXLY_CORRECT") != 0;
        __ravelin_getopt_begun = 1;
    }
    if (*letters == '-' || *letters == '+') letters++;
    quiet = *letters == ':';
    if (__ravelin_next_option == 0 || *__ravelin_next_option == 0) {
        if (__ravelin_last_moved > optind) __ravelin_last_moved = optind;
        if (__ravelin_first_moved > optind) __ravelin_first_moved = optind;
        if (__ravelin_order == 0) {
            if (__ravelin_first_moved != __ravelin_last_moved && __ravelin_last_moved != optind) {
                __ravelin_move_arguments(argv);
            } else if (__ravelin_last_moved != optind) {
                __ravelin_first_moved = optind;
            }
            while (optind < argc && (argv[optind][0] != '-' || argv[optind][1] == 0)) optind++;
            __ravelin_last_moved = optind;
        }
        if (optind != argc && __ravelin_same_text(argv[optind], "--")) {
            optind++;
            if (__ravelin_first_moved != __ravelin_last_moved && __ravelin_last_moved != optind) {
                __ravelin_move_arguments(argv);
            } else if (__ravelin_first_moved == __ravelin_last_moved) {
                __ravelin_first_moved = optind;
            }
            __ravelin_last_moved = argc;
            optind = argc;
        }
        if (optind == argc) {
            if (__ravelin_first_moved != __ravelin_last_moved) optind = __ravelin_first_moved;
            return -1;
        }
        if (argv[optind][0] != '-' || argv[optind][1] == 0) {
            if (__ravelin_order == 1) return -1;
            optarg = argv[optind];
            optind++;
            return 1;
        }
        __ravelin_next_option = argv[optind] + 1;
        if (options != 0) {
            if (argv[optind][1] == '-') {
                __ravelin_next_option = argv[optind] + 2;
                return __ravelin_long_option(argc, argv, letters, options, index, only, quiet);
            }
            if (only) {
                unsigned long i = 0;
                while (letters[i] != 0 && letters[i] != argv[optind][1]) i++;
                if (argv[optind][2] != 0 || letters[i] == 0) {
                    int result = __ravelin_long_option(argc, argv, letters, options, index, 1,
                                                       quiet);
                    if (result != -1) return result;
                }
            }
        }
    }
    letter = *__ravelin_next_option;
    __ravelin_next_option++;
    while (letters[at] != 0 && letters[at] != letter) at++;
    if (*__ravelin_next_option == 0) optind++;
    if (letters[at] == 0 || letter == ':' || letter == ';') {
        optopt = letter;
        return '?';
    }
    if (letter == 'W' && letters[at + 1] == ';') __ravelin_unsupported("getopt with W;");
    if (letters[at + 1] == ':') {
        if (*__ravelin_next_option != 0) {
            optarg = __ravelin_next_option;
            optind++;
        } else if (letters[at + 2] == ':') {
            optarg = 0;
        } else if (optind == argc) {
            optopt = letter;
            __ravelin_next_option = 0;
            return quiet ? ':' : '?';
        } else {
            optarg = argv[optind];
            optind++;
        }
        __ravelin_next_option = 0;
    }
    return letter;
}
int getopt(int argc, char *const *argv, const char *letters) {
    return __ravelin_getopt(argc, (char **)argv, letters, 0, 0, 0);
}
int getopt_long(int argc, char *const *argv, const char *letters,
                const struct __ravelin_option *options, int *index) {
    return __ravelin_getopt(argc, (char **)argv, letters, options, index, 0);
}
int getopt_long_only(int argc, char *const *argv, const char *letters,
                     const struct __ravelin_option *options, int *index) {
    return __ravelin_getopt(argc, (char **)argv, letters, options, index, 1);
}
