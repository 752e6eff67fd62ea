// run: error
// verdict: FALSE

// A tenth is no float.
extern void reach_error(void);

int main(void) {
    double x = 0.0;
    for (int i = 0; i < 10; i++) x += 0.1;
    if (x != 1.0) reach_error();
    return 0;
}
