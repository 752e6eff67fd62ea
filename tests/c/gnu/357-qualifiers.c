// run: exit 0
// verdict: TRUE

// C11 6.5.15p6, 6.5.2.3p3: what is pointed to has the qualifiers of both operands, and a member
// those of the whole.
#define KIND(pointer)                                                                  \
    _Generic((pointer), int *: 1, const int *: 2, volatile int *: 3,                    \
             const volatile int *: 4, void *: 5, const void *: 6, const int (*)[2]: 7,   \
             default: 8)

struct s {
    int a, b[2];
    struct { int c; };
};

int main(int argc, char **argv) {
    int *p = 0;
    const int *c = 0;
    volatile int *v = 0;
    void *any = 0;
    const struct s s = {0};
    const struct s *to_s = &s;
    volatile struct s w;
    if (KIND(argc ? p : c) != 2 || KIND(argc ? c : v) != 4 || KIND(1 ? p : c) != 2) return 1;
    if (KIND(argc ? p : any) != 5 || KIND(argc ? any : c) != 6) return 2;
    if (KIND(argc ? p : 0) != 1 || KIND(argc ? (void *)0 : c) != 2) return 3;
    if (KIND(&s.a) != 2 || KIND(&s.b) != 7 || KIND(&to_s->c) != 2 || KIND(&w.a) != 3) return 4;
    const int one = 1;
    return _Generic(one, const int: 1, int: 0) + _Generic(&one, int *: 1, default: 0);
}
