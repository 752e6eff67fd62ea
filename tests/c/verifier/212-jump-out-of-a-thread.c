// run: unsupported

// A thread of CBMC's that jumps to a statement of the function around it.
int n;

int main(void) {
start:
    n++;
__CPROVER_ASYNC_1:
    ({
        n = 2;
        goto start;
    });
    return 0;
}
