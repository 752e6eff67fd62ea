// run: unsupported
// verdict: TRUE

// Assembly changes its outputs, and nothing else.
extern void reach_error(void);

int main(void) {
    unsigned low = 1, kept = 3;
    __asm__ volatile("rdtsc" : "=a"(low) : : "edx");
    if (kept != 3 || (low & 1u) > 1u) reach_error();
    return 0;
}
