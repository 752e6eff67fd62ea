// run: exit 3
// verdict: TRUE

__asm__(".globl unused_symbol\nunused_symbol:\n");

static int rotate(int x, int fast) {
    if (fast) asm("roll $1, %0" : "=r"(x) : "0"(x));
    else x = (x << 1) | 1;
    return x;
}

int main(void) { return rotate(1, 0); }
