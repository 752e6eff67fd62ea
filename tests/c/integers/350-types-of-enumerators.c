// run: exit 0
// verdict: TRUE

// gcc: a constant that is no int has the type of its enumeration.
enum wide { small = 1, large = 0x100000000 };
enum mixed { negative = -1, positive = 0x80000000u };

int main(void) {
    if (sizeof small != 4 || sizeof large != 8 || sizeof(enum wide) != 8) return 1;
    if (sizeof negative != 4 || sizeof positive != 8 || negative >= positive) return 2;
    return _Generic(large, unsigned long: sizeof(long) != 8, unsigned long long: sizeof(long) != 4,
                    default: 1);
}
