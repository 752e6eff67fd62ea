// run: exit 0
// verdict: TRUE

// A flag that flips with every round is never above one.
extern void reach_error(void);

int main(void) {
    int flag = 0;
    for (int round = 0; round < 100; round++) {
        if (flag == 0)
            flag = 1;
        else
            flag = 0;
    }
    if (flag > 1) reach_error();
    return 0;
}
