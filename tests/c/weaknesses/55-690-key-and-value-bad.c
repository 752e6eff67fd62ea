// check: valid-deref
// outcomes: 0 valid-deref

// CWE-690: a line without an equals sign is split all the same.
#include <string.h>

#ifndef NO_VALUE
#define NO_VALUE(sign) 0
#endif

extern char __VERIFIER_nondet_char(void);

static const char *value_of(char *line) {
    char *sign = strchr(line, '=');
    if (NO_VALUE(sign)) return "";
    *sign = 0;
    return sign + 1;
}

int main(void) {
    char line[4] = "k=v";
    line[1] = __VERIFIER_nondet_char();
    const char *value = value_of(line);
    return *value != 0 && *value != 'v';
}
