// run: exit 0
// verdict: TRUE

// Without the header these are plain calls, not table look-ups.
extern int isdigit(int), isspace(int), isalpha(int), toupper(int);
extern void reach_error(void);

static int words(const char *s) {
    int n = 0, inside = 0;
    for (; *s; s++) {
        if (isspace(*s)) inside = 0;
        else if (!inside) inside = 1, n++;
    }
    return n;
}

int main(void) {
    if (words(" two  words ") != 2) reach_error();
    if (!isdigit('5') || isdigit('x') || !isalpha('x')) reach_error();
    if (toupper('z') != 'Z') reach_error();
    return 0;
}
