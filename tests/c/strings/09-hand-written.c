// run: exit 0
// verdict: TRUE

// The idioms of K&R chapter 5: side effects in loop conditions.
extern void reach_error(void);

static void copy(char *t, const char *s) {
    while ((*t++ = *s++)) continue;
}

static int compare(const char *s, const char *t) {
    for (; *s == *t; s++, t++)
        if (!*s) return 0;
    return *s - *t;
}

static int number(const char *s) {
    int sign = *s == '-' ? s++, -1 : 1, n = 0;
    while (*s >= '0' && *s <= '9') n = 10 * n + (*s++ - '0');
    return sign * n;
}

static void reverse(char *s) {
    char *e = s;
    while (*e) e++;
    for (e--; s < e; s++, e--) *s ^= *e, *e ^= *s, *s ^= *e;
}

int main(void) {
    char b[16];
    copy(b, "drawer");
    reverse(b);
    if (compare(b, "reward") != 0) reach_error();
    if (compare("abc", "abd") >= 0 || compare("", "") != 0) reach_error();
    if (number("-1024") != -1024 || number("77x") != 77 || number("") != 0) reach_error();
    return 0;
}
