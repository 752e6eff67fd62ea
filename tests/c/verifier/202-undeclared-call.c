// run: unsupported

// What a function does that nobody declares is not known, nor is its type.
int main(void) { return frobnicate(1); }
