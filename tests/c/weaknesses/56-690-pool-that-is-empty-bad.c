// check: valid-deref
// outcomes: 0 valid-deref

// CWE-690: a pool gives nothing when all of its blocks are in use.
#ifndef USE
#define USE(block) block->owner = 1
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

struct block {
    int owner;
};

static struct block blocks[2];

static struct block *take(void) {
    for (unsigned i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (blocks[i].owner == 0) return blocks + i;
    return (struct block *)0;
}

int main(void) {
    for (unsigned char wanted = __VERIFIER_nondet_uchar(); wanted > 0; wanted--) {
        struct block *block = take();
        USE(block);
    }
    return 0;
}
