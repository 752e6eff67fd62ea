// check: valid-arguments
// outcomes: 0
// verdict: TRUE

// CWE-686: a number where the format has a string, on a path that is seldom taken.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static void report(const char *step, int code) {
    char line[64];
    if (code == 0) return;
    if (code > 0) snprintf(line, sizeof line, "%s: warning %d", step, code);
    else snprintf(line, sizeof line, "%s: %d", step, code);
}

int main(void) {
    int code = __VERIFIER_nondet_int();
    if (code > -3 && code < 3) report("load", code);
    return 0;
}
