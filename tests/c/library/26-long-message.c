// run: long
// verdict: FALSE

// Messages may be longer than a few characters.
extern void reach_error(void);
extern char *strerror(int);

int main(void) {
    const char *message = strerror(1);
    int length = 0;
    while (length < 12 && message[length] != 0) length++;
    if (length == 12) reach_error();
    return 0;
}
