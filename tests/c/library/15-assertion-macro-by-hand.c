// run: error
// verdict: FALSE

// What <assert.h> expands to, written out as in preprocessed files.
extern void __assert_fail(const char *assertion, const char *file, unsigned line,
                          const char *function) __attribute__((__nothrow__, __noreturn__));

int main(void) {
    int x = 1;
    ((x == 1) ? (void)0 : __assert_fail("x == 1", "file.c", 1, __func__));
    ((void)sizeof((x == 2) ? 1 : 0), __extension__({
         if (x == 2)
             ;
         else
             __assert_fail("x == 2", "file.c", 2, __extension__ __PRETTY_FUNCTION__);
     }));
    return 0;
}
