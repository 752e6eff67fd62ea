// outcomes: 0
// verdict: TRUE

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned rows = __VERIFIER_nondet_uchar() % 4, cells = 0;
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j <= i; j++) cells++;
    if (cells != rows * (rows + 1) / 2) reach_error();
    return 0;
}
