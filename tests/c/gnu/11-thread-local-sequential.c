// run: exit 9
// verdict: TRUE

static __thread int a = 4;
_Thread_local int b;
static int bump(void) {
    static __thread int calls = 1;
    return ++calls;
}

int main(void) {
    b = bump() + bump();
    return a + b;
}
