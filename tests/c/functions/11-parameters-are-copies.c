// run: exit 7
// verdict: TRUE

struct s { int v[2]; };

static void change(int x, int *p, struct s s, int a[]) {
    x = 99;
    p = &x;
    *p = 98;
    s.v[0] = 97;
    a[0] += 4;
    a = s.v;
    a[1] = 96;
}

int main(void) {
    int x = 1, y = 2, a[1] = {0};
    struct s s = {{0, 0}};
    change(x, &y, s, a);
    return x + y + s.v[0] + s.v[1] + a[0];
}
