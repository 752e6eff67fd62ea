// check: valid-arguments
// run: exit 0
// verdict: TRUE

#include <stdio.h>

int main(void) {
    short number = 0;
    unsigned u = 0;
    char word[8];
    int found = sscanf("12 34 ab", "%hd %u %7s", &number, &u, word);
    return found != 3 || number != 12 || u != 34 || word[1] != 'b' || word[2] != 0;
}
