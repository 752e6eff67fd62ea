// run: exit 0
// verdict: TRUE

// Types by the mode of the machine: of typedefs, variables and members.
typedef float df __attribute__((mode(DF)));
typedef double sf __attribute__((__mode__(__SF__)));
typedef unsigned int uhi __attribute__((mode(HI)));
typedef int word __attribute__((mode(word)));
typedef int pointer __attribute__((mode(pointer)));

struct narrow {
    int half __attribute__((mode(HI)));
    int byte __attribute__((mode(byte)));
};

int main(void) {
    int wide __attribute__((mode(DI))) = 1;
    df tenth = 0.1;
    uhi cut = 65536 + 7;
    wide <<= 40;
    if (sizeof(df) != 8 || tenth != 0.1 || sizeof(sf) != 4 || (sf)0.1 == 0.1) return 1;
    if (cut != 7 || wide >> 38 != 4) return 2;
    if (sizeof(word) != sizeof(void *) || sizeof(pointer) != sizeof(void *)) return 3;
    return sizeof(struct narrow) - 4;
}
