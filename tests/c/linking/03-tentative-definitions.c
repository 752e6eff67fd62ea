// run: exit 0
// verdict: TRUE

// C11 6.9.2: tentative definitions merge with a definition, or become zero.
#include <assert.h>

int a;
int a;
int a = 3;
extern int a;
int zeroed;
static int local_one;
static int local_one = 8;
int shared[4];
extern int elsewhere;

extern int sum(void);

int main(void) {
    assert(a == 3 && zeroed == 0 && local_one == 8);
    shared[3] = 6;
    assert(sum() == 9 && elsewhere == 9);
    return 0;
}
