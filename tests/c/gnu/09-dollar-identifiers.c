// run: exit 6
// verdict: TRUE

static int a$b = 1;
static int $ = 2;
struct $tag { int field$; };

static int f$$(int $1) { return $1 + a$b; }

int main(void) {
    struct $tag t = {.field$ = 3};
    int a_b = 50, aS = 60;
    if (a_b == aS) return 1;
    return f$$($) + t.field$;
}
