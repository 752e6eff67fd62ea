// check: valid-bounds
// run: exit 5
// verdict: TRUE

// The last member behind a pointer is as long as what was allocated.
#include <stdlib.h>

struct text {
    int length;
    char letters[1];
};

struct open {
    int length;
    char letters[];
};

int main(void) {
    struct text *text = malloc(sizeof *text + 7);
    struct open *open = malloc(sizeof *open + 8);
    text->letters[5] = 5;
    open->letters[7] = text->letters[5];
    int result = open->letters[7];
    free(text);
    free(open);
    return result;
}
