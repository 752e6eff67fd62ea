// run: invalid-memory

// Calling through a null function pointer.
static void (*handler)(void);

int main(void) {
    if (!handler) handler();
    return 0;
}
