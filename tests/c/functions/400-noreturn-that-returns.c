// run: undefined
// A function that is declared noreturn and returns is undefined (C11 6.7.4p8): what follows its call is no execution
// that a counterexample may show. gcc leaves it out.
extern void reach_error(void);

_Noreturn static void stop(int how) {
    if (how) {
        return;
    }
}

int main(void) {
    stop(1);
    reach_error();
    return 0;
}
