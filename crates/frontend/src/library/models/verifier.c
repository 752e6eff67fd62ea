// Functions of the competition on software verification that are not primitive.

//: __VERIFIER_assert
void reach_error(void);
void __VERIFIER_assert(int condition) {
    if (!condition) reach_error();
}

//: __VERIFIER_nondet_memory
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_nondet_memory(void *memory, unsigned long size) {
    unsigned char *bytes = memory;
    unsigned long i;
    for (i = 0; i < size; i++) bytes[i] = __VERIFIER_nondet_uchar();
}
