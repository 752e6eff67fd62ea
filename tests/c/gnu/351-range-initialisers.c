// run: exit 0
// verdict: TRUE

// What a range designates gets copies of one value; what is overridden is not evaluated.
static int calls;
static int next(void) { return ++calls; }

struct pair {
    int a;
    int b[2];
};

int main(void) {
    int four[4] = {[0 ... 3] = next()};
    if (calls != 1 || four[0] != 1 || four[3] != 1) return 1;
    struct pair pairs[2] = {[0 ... 1] = {next(), {[0 ... 1] = next()}}};
    if (calls != 3 || pairs[0].a != 2 || pairs[1].a != 2 || pairs[1].b[1] != 3) return 2;
    int other[3] = {[0 ... 2] = next(), [1] = next()};
    if (calls != 5 || other[0] != 4 || other[1] != 5 || other[2] != 4) return 3;
    int once[1] = {[0] = next(), [0] = next()};
    return calls - 6 + once[0] - 6;
}
