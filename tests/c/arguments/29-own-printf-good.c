// check: valid-arguments
// run: exit 3
// verdict: TRUE

// The program defines the function, so its format means what the program makes of it.
int sprintf(char *text, const char *format, ...) {
    *text = *format;
    return 3;
}

int main(void) {
    char c;
    return sprintf(&c, "%d %d");
}
