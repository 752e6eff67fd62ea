// run: exit 0
// verdict: TRUE

// A line of a configuration, field by field: widths, sets, characters, counts, floats, fields that are skipped.

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char name[8], unit, two[2], rest[8];
    int number = 0, read = 0;
    signed char small = 0;
    float factor;
    double other;
    assert(sscanf("size = 120k", "%7[a-z] = %d%c", name, &number, &unit) == 3);
    assert(strcmp(name, "size") == 0 && number == 120 && unit == 'k');
    assert(sscanf("12345", "%2d%*2d%n", &number, &read) == 1 && number == 12 && read == 4);
    assert(sscanf("-7;xyz", "%hhd%*[;]%2c%s", &small, two, rest) == 3 && small == -7);
    assert(two[0] == 'x' && two[1] == 'y' && strcmp(rest, "z") == 0);
    assert(sscanf("0.5,-25e-1", "%f,%lf", &factor, &other) == 2 && factor == 0.5f && other == -2.5);
    assert(sscanf("abcdef", "%3s%[^f]", name, rest) == 2 && strcmp(name, "abc") == 0);
    assert(strcmp(rest, "de") == 0 && sscanf("x", "%d", &number) == 0 && sscanf("", "%d", &number) == -1);
    return 0;
}
