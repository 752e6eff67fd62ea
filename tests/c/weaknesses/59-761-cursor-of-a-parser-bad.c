// check: valid-deref,valid-free,valid-memtrack
// outcomes: 0 valid-free

// CWE-761: a parser frees its input from where it has got to.
#include <stdlib.h>
#include <string.h>

#ifndef OWNED
#define OWNED cursor
#endif

extern _Bool __VERIFIER_nondet_bool(void);

struct parser {
    char *input, *cursor;
};

static void open_parser(struct parser *parser) {
    parser->input = malloc(4);
    strcpy(parser->input, "1+2");
    parser->cursor = parser->input;
}

static int next(struct parser *parser) { return *parser->cursor++; }

static void close_parser(struct parser *parser) { free(parser->OWNED); }

int main(void) {
    struct parser parser;
    open_parser(&parser);
    if (__VERIFIER_nondet_bool() && next(&parser) != '1') return 1;
    close_parser(&parser);
    return 0;
}
