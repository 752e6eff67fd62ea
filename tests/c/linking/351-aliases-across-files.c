// run: exit 0
// verdict: TRUE

// Names that another file gives to its functions and variables.
int second_name(void);
int third_name(void);
int labelled(void);
extern int other_variable;
int mine(void) __asm__("theirs");

int main(void) {
    other_variable = 5;
    if (second_name != third_name) return 1;
    return second_name() + labelled() + mine() - 5 - 7 - 9;
}
