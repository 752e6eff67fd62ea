// run: invalid-memory

// The lifetime of a local object ends when its block is left (C11 6.2.4p6).
static int *leak(void) {
    int local = 5;
    int *p = &local;
    return p;
}

int main(void) {
    int *p = leak();
    return *p;
}
