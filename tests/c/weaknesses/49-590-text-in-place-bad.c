// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-free

// CWE-590: a short text is kept in the string itself, and freed like a long one.
#include <stdlib.h>

#ifndef IS_LONG
#define IS_LONG(string) 1
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

struct string {
    char *text;
    char in_place[8];
};

static void begin(struct string *string, unsigned length) {
    string->text = length < sizeof string->in_place ? string->in_place : malloc(length + 1);
    string->text[0] = 0;
}

static void destroy(struct string *string) {
    if (IS_LONG(string)) free(string->text);
}

int main(void) {
    struct string string;
    begin(&string, __VERIFIER_nondet_uchar());
    destroy(&string);
    return 0;
}
