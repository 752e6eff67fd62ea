// run: error
// verdict: FALSE

// Of reachability alone: overflow wraps, and the execution goes on.
extern void reach_error(void);

int main(void) {
    int max = 2147483647;
    if (max + 1 < 0) reach_error();
    return 0;
}
