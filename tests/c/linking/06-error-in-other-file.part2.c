extern void reach_error(void);

static int seen;

int check(int x) {
    seen += x;
    if (seen == 6) reach_error();
    return seen;
}
