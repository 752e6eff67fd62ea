// <fenv.h>: the rounding mode. Exception flags are not modelled: nothing tells them.

//: fegetenv
int fegetround(void);

int fegetenv(void *env) {
    // The first member is the control word, whose bits 10 and 11 are the mode.
    *(unsigned short *)env = (unsigned short)fegetround();
    return 0;
}

//: feholdexcept
int fegetenv(void *);

int feholdexcept(void *env) {
    return fegetenv(env);
}

//: fesetenv
int fesetround(int);

int fesetenv(const void *env) {
    // FE_DFL_ENV
    if (env == (const void *)-1) return fesetround(0);
    return fesetround(*(const unsigned short *)env & 0xc00);
}

//: feupdateenv
int fesetenv(const void *);

int feupdateenv(const void *env) {
    return fesetenv(env);
}
