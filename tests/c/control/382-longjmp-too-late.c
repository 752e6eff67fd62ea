// run: undefined

// Undefined: the function with the setjmp has returned.
#include <setjmp.h>

static jmp_buf gone;
static int save(void) { return setjmp(gone); }

int main(void) {
    if (save() == 0) longjmp(gone, 1);
    return 0;
}
