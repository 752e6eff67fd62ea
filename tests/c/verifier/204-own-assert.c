// run: exit 3
// verdict: TRUE

// A definition in the program takes precedence.
static int calls;
void assert(int condition) { calls += !condition; }
void __CPROVER_assume(int condition) { calls += !condition; }
int nondet_int(void) { return 7; }
void klee_report_error(void) { calls++; }

int main(void) {
    assert(0);
    __CPROVER_assume(nondet_int() != 7);
    klee_report_error();
    return calls;
}
