// run: long
// verdict: FALSE

// What a function without body leaves in memory is an input of the execution: in scalars, members and what they
// point to, but not in an object beside them.
extern void reach_error(void);
extern void fill(int *number, int count);
extern void touch(void *anything);

struct node {
    int value;
    int *other;
};

int main(void) {
    int number = 1, pointed = 2, apart = 3;
    struct node node = {4, &pointed};
    fill(&number, 1);
    touch(&node);
    if (number == 42 && node.value == number + 1 && pointed == 7 && apart == 3) reach_error();
    return 0;
}
