// check: valid-deref
// outcomes: 0 valid-deref

// CWE-121: a word that fills the buffer leaves no room for the end that the caller writes.
#define WIDTH 6
#ifndef ROOM
#define ROOM WIDTH
#endif

extern char __VERIFIER_nondet_char(void);

// Reads a word whose end the caller marks.
static unsigned read_word(char *to, unsigned room) {
    unsigned length = 0;
    while (length < room) {
        char c = __VERIFIER_nondet_char();
        if (c == ' ') break;
        to[length++] = c;
    }
    return length;
}

int main(void) {
    char word[WIDTH];
    unsigned length = read_word(word, ROOM);
    word[length] = 0;
    return 0;
}
