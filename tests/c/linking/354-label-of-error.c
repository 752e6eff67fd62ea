// run: error
// verdict: FALSE

// The label is the name that counts.
void fail(void) __asm__("reach_error");

int main(void) {
    fail();
    return 0;
}
