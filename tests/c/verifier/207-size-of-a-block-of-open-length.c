// options: --data-model LP64
// outcomes: 0 assumption-failed
// verdict: TRUE

// The size of a block is the one it was made with, and main makes two kinds of objects in one go: its arguments are
// on the stack.
void *malloc(unsigned long);
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_assume(_Bool);
unsigned long __CPROVER_OBJECT_SIZE(const void *);
unsigned short __VERIFIER_nondet_ushort(void);

int main(int argc, char *argv[]) {
    unsigned short length = __VERIFIER_nondet_ushort();
    __CPROVER_assume(length > 0);
    char *block = malloc(length);
    __CPROVER_assert(__CPROVER_OBJECT_SIZE(block) == length, "the size asked for");
    return 0;
}
