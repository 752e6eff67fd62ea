struct data { char c[5]; };
typedef char number;
enum { a = 4 };

int total(void) {
    struct data d = {{0}};
    number n = a;
    return sizeof d + n + d.c[0];
}
