// run: exit 2
// verdict: TRUE

static int interpret(int code) {
    if (code < 0) {
        void *target = &&out;
        goto *target;
    }
    code *= 2;
out:
    return code;
}

int main(void) { return interpret(1); }
