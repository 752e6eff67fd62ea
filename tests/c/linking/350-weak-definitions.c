// run: exit 0
// verdict: TRUE

// A strong definition in another file takes the place of a weak one, also for those who call it here.
__attribute__((weak)) int f(void) { return 1; }
int __attribute__((weak)) x = 1;
#pragma weak g
int g(void) { return 1; }
static int own(void) { return 3; }
int h(void) __attribute__((weak, alias("own")));
int only(void) __attribute__((alias("own")));

int main(void) { return f() + x + g() + h() + only() - 2 - 2 - 2 - 2 - 3; }
