// run: exit 0
// verdict: TRUE

extern void reach_error(void);

int main(void) {
    int i = 7, sum = 0;
    goto body;
    for (i = 0; i < 10; i++) {
    body:
        sum += i;
    }
    if (sum != 24) reach_error();

    i = 0;
    sum = 0;
    goto condition;
    do {
        sum += 100;
    condition:
        i++;
    } while (i < 3);
    if (sum != 200) reach_error();

    i = 5;
    if (i == 6) {
    branch:
        sum = i;
    } else {
        i = 9;
        goto branch;
    }
    if (sum != 9) reach_error();
    return 0;
}
