// outcomes: 0 error
// verdict: FALSE

// What is only declared may hold anything at the start, and keeps what is stored there.
extern void reach_error(void);
extern int undefined;
extern _Bool flag;
extern double unused;

int main(void) {
    if (flag != 0 && flag != 1) return 3;
    if (undefined == 42 && flag) reach_error();
    undefined = 7;
    return undefined - 7;
}
