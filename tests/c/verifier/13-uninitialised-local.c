// outcomes: 0 1
// verdict: TRUE

// Automatic objects without initialiser hold any value, static ones are zero.
extern void reach_error(void);

static int zero;

int main(void) {
    int any;
    static int also_zero;
    if (zero || also_zero) reach_error();
    return any != 0;
}
