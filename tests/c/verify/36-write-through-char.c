// run: exit 0
// verdict: TRUE

extern void reach_error(void);

int main(void) {
    unsigned x = 0x11223344;
    unsigned char *bytes = (unsigned char *)&x;
    bytes[1] = 0xff;
    if (x != 0x1122ff44) reach_error();
    x = 5;
    if (bytes[0] != 5 || bytes[1] != 0) reach_error();
    return 0;
}
