// run: exit 0
// verdict: TRUE

// Arguments that are no options are moved behind those that are.

#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    static char program[] = "p", input[] = "in", all[] = "-vo", output[] = "out", level[] = "--level=3";
    static const struct option options[] = {{"level", required_argument, 0, 'l'}, {0, 0, 0, 0}};
    char *argv[] = {program, input, all, output, level, 0};
    unsetenv("POSIXLY_CORRECT");
    assert(getopt_long(5, argv, "vo:", options, 0) == 'v');
    assert(getopt_long(5, argv, "vo:", options, 0) == 'o' && optarg == output);
    assert(getopt_long(5, argv, "vo:", options, 0) == 'l' && *optarg == '3');
    assert(getopt_long(5, argv, "vo:", options, 0) == -1 && optind == 4 && argv[4] == input);
    return 0;
}
