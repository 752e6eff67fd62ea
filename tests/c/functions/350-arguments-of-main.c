// run: exit 0
// verdict: TRUE

// C11 5.1.2.2.1p2: argv[0] to argv[argc - 1] are strings, and a null pointer is behind them.
extern void reach_error(void);

int main(int argc, char **argv) {
    if (argc < 1 || argv[0] == 0) reach_error();
    if (argc > 1 && argv[1] == 0) reach_error();
    if (argc == 2 && argv[2] != 0) reach_error();
    return 0;
}
