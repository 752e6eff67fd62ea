// run: long
// verdict: TRUE

// Quantifiers over small types and up to a size are loops; a part of an array is copied as far as there is room.
extern void __CPROVER_assume(_Bool);
extern void __CPROVER_assert(_Bool, const char *);
extern void __CPROVER_array_copy(const void *, const void *);

struct message { char head[4], body[8]; };

int main(void) {
    int b[2];
    char part[2];
    struct message m;
    __CPROVER_assume(__CPROVER_forall { char i; (i >= 0 && i < 2) ==> b[i] == 10 });
    __CPROVER_assert(b[1] == 10, "each");
    __CPROVER_assert(__CPROVER_exists { unsigned i; i < sizeof(b) / sizeof(b[0]) && b[i] == 10 }, "one");
    m.body[1] = 7;
    __CPROVER_array_copy(part, m.body);
    __CPROVER_assert(part[1] == 7, "copied");
    return 0;
}
