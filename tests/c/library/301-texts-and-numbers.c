// run: exit 0
// verdict: TRUE

#define _GNU_SOURCE
#include <assert.h>
#include <inttypes.h>
#include <libgen.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char path[] = "/usr/lib/", options[] = "rw,size=4", swapped[4], *text, *value;
    char *rest = options, *const names[] = {"size", "rw", 0};
    assert(asprintf(&text, "%s-%03d", "id", 7) == 6 && strcmp(text, "id-007") == 0);
    free(text);
    assert(getsubopt(&rest, names, &value) == 1 && getsubopt(&rest, names, &value) == 0 && *value == '4');
    assert(strcmp(basename(path), "lib") == 0 && strcmp(dirname(path), "/usr") == 0);
    assert(strverscmp("file9", "file10") < 0 && strcasestr("Content-Type", "TYPE") != 0);
    swab("abcd", swapped, 4);
    assert(swapped[0] == 'b' && strtoimax("-9", 0, 10) == -9 && imaxdiv(7, 2).rem == 1);
    srand48(5);
    long first = lrand48();
    srand48(5);
    assert(lrand48() == first && a64l(l64a(1234)) == 1234);
    assert(strcmp(setlocale(LC_ALL, 0), "C") == 0 && *localeconv()->decimal_point == '.');
    return 0;
}
