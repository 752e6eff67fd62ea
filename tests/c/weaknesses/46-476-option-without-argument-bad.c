// check: valid-deref
// outcomes: 0 valid-deref

// CWE-476: the path of an output is known only if the option for it was given.
#ifndef DEFAULT_PATH
#define DEFAULT_PATH 0
#endif

extern char __VERIFIER_nondet_char(void);

struct options {
    const char *input, *output;
};

static void parse(struct options *options, char letter, const char *argument) {
    if (letter == 'i') options->input = argument;
    if (letter == 'o') options->output = argument;
}

int main(void) {
    struct options options = {"in.txt", DEFAULT_PATH};
    for (int i = 0; i < 2; i++) parse(&options, __VERIFIER_nondet_char(), "x.txt");
    return options.output[0] == 0;
}
