// run: long
// verdict: FALSE

// Three words of an array of strings, whose length is an input, have to be options: an error behind many branches.
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);

static int is_option(const char *word) {
    return word[0] == '-' && word[1] == 'n' && word[2] == 0;
}

int main(void) {
    int count = __VERIFIER_nondet_int();
    if (count < 1 || count > 1000) return 0;
    char **words = malloc((count + 1ul) * sizeof(char *));
    words[count] = 0;
    for (int i = 0; i < count; i++) {
        words[i] = malloc(4);
        words[i][3] = 0;
        for (int j = 0; j < 3; j++) words[i][j] = __VERIFIER_nondet_char();
    }
    int options = 0;
    while (words[options] && is_option(words[options])) options++;
    if (options == 3 && words[options]) reach_error();
    return 0;
}
