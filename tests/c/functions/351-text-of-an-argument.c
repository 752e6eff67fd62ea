// outcomes: 0 error
// verdict: FALSE

extern void reach_error(void);

int main(int argc, char **argv) {
    if (argc == 2 && argv[1][0] == 7 && argv[1][1] == 0) reach_error();
    return 0;
}
