// outcomes: 0
// verdict: TRUE

// The function gets a pointer to one variable. The other's address never leaves the program.
extern void reach_error(void);
extern void change(int *place);

int main(void) {
    int given = 1, other[2] = {2, 3};
    int *kept = &other[1];
    change(&given);
    if (*kept != 3) reach_error();
    return 0;
}
