// run: exit 0
// verdict: TRUE

extern void reach_error(void);

static int add_twice(int *to, const int *from) {
    *to += *from;
    *to += *from;
    return *to;
}

int main(void) {
    int x = 3, y = 1;
    if (add_twice(&x, &y) != 5) reach_error();
    if (add_twice(&x, &x) != 20) reach_error();
    int *p = &x, *q = p;
    *q = 1;
    if (*p != 1) reach_error();
    q = &y;
    *q = 9;
    if (*p != 1 || y != 9) reach_error();
    return 0;
}
