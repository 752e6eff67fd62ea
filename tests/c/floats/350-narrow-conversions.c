// run: exit 0
// verdict: TRUE

// Assumption A9: x86 converts to a register and keeps the low bits.
int main(void) {
    volatile double large = 300, larger = 100000, huge = 1e10;
    volatile float negative = -300;
    if ((signed char)large != 44 || (unsigned char)large != 44) return 1;
    if ((signed char)negative != -44 || (unsigned char)negative != 212) return 2;
    if ((short)larger != -31072 || (unsigned short)larger != 34464) return 3;
    return (short)huge | (unsigned short)huge | (signed char)huge;
}
