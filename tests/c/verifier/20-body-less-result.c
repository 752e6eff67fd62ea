// outcomes: 0 error
// verdict: FALSE

extern unsigned unknown_source(void);
extern void reach_error(void);

int main(void) {
    if (unknown_source() == 77) reach_error();
    return 0;
}
