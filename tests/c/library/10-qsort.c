// run: exit 0
// stdout: -3 0 2 5 9
// stdout: fig apple banana
// verdict: TRUE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_length(const void *a, const void *b) {
    return (int)strlen(*(char *const *)a) - (int)strlen(*(char *const *)b);
}

int main(void) {
    int v[] = {5, -3, 9, 0, 2};
    qsort(v, 5, sizeof *v, by_value);
    for (int i = 0; i < 5; i++) printf("%d%c", v[i], i < 4 ? ' ' : '\n');
    const char *fruit[] = {"banana", "fig", "apple"};
    qsort(fruit, 3, sizeof *fruit, by_length);
    printf("%s %s %s\n", fruit[0], fruit[1], fruit[2]);
    return 0;
}
