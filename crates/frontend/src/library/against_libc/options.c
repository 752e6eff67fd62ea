// Options of the command line. Both read the same variables (optind and its like), one after the other.

#include <getopt.h>

MODEL(getopt); MODEL(getopt_long); MODEL(getopt_long_only);

struct option_step { int result, optind, optopt, index; char *optarg; };

static int read_options(int kind, int is_model, int argc, char **argv, const char *letters,
                        struct option_step *steps) {
    static int flag;
    static const struct option list[] = {
        {"all", 0, 0, 'a'}, {"file", 1, 0, 'f'}, {"level", 2, 0, 'l'}, {"also", 0, 0, 'o'},
        {"flag", 0, &flag, 5}, {0, 0, 0, 0},
    };
    int count = 0;
    optind = 0;
    opterr = 0;
    optopt = '?';
    do {
        struct option_step *step = &steps[count++];
        int index = -7;
        flag = 0;
        step->result = kind == 0
            ? (is_model ? model_getopt : getopt)(argc, argv, letters)
            : kind == 1
            ? (is_model ? model_getopt_long : getopt_long)(argc, argv, letters, list, &index)
            : (is_model ? model_getopt_long_only : getopt_long_only)(argc, argv, letters, list,
                                                                     &index);
        step->optind = optind;
        step->optopt = step->result == '?' || step->result == ':' ? optopt : 0;
        step->index = index * 10 + flag;
        step->optarg = optarg;
    } while (steps[count - 1].result != -1 && count < 30);
    return count;
}

static void options(void) {
    static char words[][10] = {
        "-a", "-b", "-ab", "-fx", "-f", "-l", "-l3", "-z", "-", "--", "file", "other", "--all", "--al",
        "--file", "--file=x", "--level", "--level=2", "--all=1", "--zero", "--fl", "-all", "-file", "-f=",
    };
    static const char *const formats[] = {"abf:l::", "+abf:l::", "-abf:l::", ":af:", "", "+:bf:"};
    char detail[160];
    for (int round = 0; round < 20000; round++) {
        char *argv[8] = {"program"}, *other[8] = {"program"};
        int argc = 1 + draw() % 6;
        int kind = draw() % 3;
        const char *letters = formats[draw() % 6];
        struct option_step steps[30], model_steps[30];
        snprintf(detail, sizeof detail, "%d \"%s\":", kind, letters);
        for (int i = 1; i < argc; i++) {
            argv[i] = other[i] = words[draw() % (sizeof words / sizeof *words)];
            snprintf(detail + strlen(detail), sizeof detail - strlen(detail), " %s", argv[i]);
        }
        memset(steps, 0, sizeof steps);
        memset(model_steps, 0, sizeof model_steps);
        int count = read_options(kind, 0, argc, argv, letters, steps);
        SAME("getopt (steps)", count, read_options(kind, 1, argc, other, letters, model_steps));
        if (memcmp(steps, model_steps, sizeof steps)) report("getopt", detail);
        if (memcmp(argv, other, sizeof argv)) report("getopt (order)", detail);
    }
}
