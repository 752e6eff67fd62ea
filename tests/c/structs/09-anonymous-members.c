// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <stddef.h>

struct token {
    int kind;
    union {
        struct { int line, column; };
        long long position;
        char text[8];
    };
    struct { char tail; };
};

int main(void) {
    struct token t = {1, {{2, 3}}, {'t'}};
    assert(t.line == 2 && t.column == 3 && t.tail == 't');
    assert(t.position == 0x300000002ll);
    t.text[0] = 7;
    assert(t.line == 7);
    struct token u = {.column = 9, .kind = 4, .tail = 'u'};
    assert(u.line == 0 && u.column == 9 && u.kind == 4 && u.tail == 'u');
    assert(offsetof(struct token, column) - offsetof(struct token, line) == 4);
    struct token *p = &u;
    p->line = p->column;
    assert(u.line == 9);
    return 0;
}
