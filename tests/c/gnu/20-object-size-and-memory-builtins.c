// run: exit 0
// verdict: TRUE

#include <assert.h>

int main(void) {
    char b[8], c[8];
    __builtin_memset(b, 'q', 7);
    b[7] = 0;
    __builtin_memcpy(c, b, 8);
    assert(__builtin_strlen(c) == 7 && __builtin_strcmp(b, c) == 0);
    assert(__builtin_memcmp(b, c, 8) == 0);
    __builtin_strcpy(b, "x");
    assert(b[0] == 'x' && b[1] == 0 && b[2] == 'q');
    int *p = __builtin_malloc(sizeof *p);
    *p = 3;
    assert(*p == 3);
    __builtin_free(p);
    assert(__builtin_offsetof(struct { char c; int i; }, i) == 4);
    assert(__builtin_isnan(__builtin_nan("")) && __builtin_inf() > 1e308);
    assert(__builtin_fabs(-2.0) == 2.0 && __builtin_huge_val() == __builtin_inf());
    assert(__builtin_isinf_sign(-__builtin_inf()) == -1);
    return 0;
}
