// run: exit 0
// verdict: TRUE

// Instructions of lock-free code do what they do on x86, in every width, with flags and tied operands.
extern void reach_error(void);
extern void abort(void);

static void check(int holds) {
    if (!holds) reach_error();
}

static unsigned char cas(volatile unsigned *at, unsigned *expected, unsigned desired) {
    unsigned char done;
    __asm__ __volatile__("lock; cmpxchgl %3, %0; setz %1"
                         : "+m"(*at), "=q"(done), "+a"(*expected)
                         : "r"(desired)
                         : "memory", "cc");
    return done;
}

static int flag_cas(int *at, int expected, int desired) {
    int done;
    __asm__ __volatile__("lock cmpxchgl %[new], %[at]"
                         : [at] "+m"(*at), "=@ccz"(done), "+a"(expected)
                         : [new] "q"(desired)
                         : "memory", "cc");
    return done + 2 * expected;
}

static int add(int *at, int by) {
    __asm__ __volatile__("lock xaddl %0, %1" : "+r"(by), "+m"(*at) : : "memory", "cc");
    return by;
}

static _Bool decrement(short *at) {
    _Bool zero;
    __asm__ __volatile__("lock decw %0\n\tsete %1" : "+m"(*at), "=qm"(zero) : : "memory", "cc");
    return zero;
}

static int *swap(int **at, int *with) {
    __asm__ __volatile__("xchg %0, %1" : "+r"(with), "+m"(*at) : : "memory");
    return with;
}

static _Bool bit(unsigned *words, int which) {
    _Bool was;
    __asm__ __volatile__("lock; btsl %2, %0; setc %1" : "+m"(*words), "=q"(was) : "r"(which) : "memory", "cc");
    return was;
}

int main(void) {
    unsigned word = 5, seen = 5;
    check(cas(&word, &seen, 9) && word == 9 && seen == 5);
    check(!cas(&word, &seen, 1) && word == 9 && seen == 9);

    int number = 7;
    check(flag_cas(&number, 7, -3) == 15 && number == -3);
    check(flag_cas(&number, 7, 8) == -6 && number == -3);
    check(add(&number, 10) == -3 && number == 7);

    short half = 2;
    check(!decrement(&half) && half == 1);
    check(decrement(&half) && half == 0);

    int a, b, *place = &a;
    check(swap(&place, &b) == &a && place == &b);

    unsigned words[3] = {0, 0, 0};
    check(!bit(words, 3) && !bit(words, 37) && bit(words, 37) && !bit(words + 2, -31));
    check(words[0] == 8 && words[1] == (1u << 5 | 1u << 1) && words[2] == 0);
    __asm__ __volatile__("lock btrl $37, %0" : "+m"(words[1]) : : "memory", "cc");
    check(words[1] == 2);

    unsigned char byte = 0xf0, carry, overflow;
    __asm__ __volatile__("lock; addb %2, %0; setc %1" : "+m"(byte), "=q"(carry) : "iq"((unsigned char)0x20) : "cc");
    check(byte == 0x10 && carry == 1);
    __asm__ __volatile__("lock orb $3, %0; lock andb $0x12, %0; lock xorb $1, %0; lock notb %0" : "+m"(byte) : : "cc");
    check(byte == 0xec);
    __asm__ __volatile__("lock negb %0; seto %1" : "+m"(byte), "=q"(overflow) : : "cc");
    check(byte == 0x14 && overflow == 0);
    __asm__ __volatile__("lock incb %0" : "+m"(byte) : : "cc");
    check(byte == 0x15);

    int less, x = -1, y = 1;
    __asm__("cmpl %2, %1" : "=@ccl"(less) : "r"(x), "r"(y) : "cc");
    check(less == 1);
    __asm__("cmpl %2, %1" : "=@ccb"(less) : "r"(x), "r"(y) : "cc");
    check(less == 0);
    unsigned mask;
    __asm__("btl %2, %1; sbbl %0, %0" : "=r"(mask) : "r"(6), "r"(2) : "cc");
    check(mask == ~0u);
    __asm__("movl %1, %0; addl $3, %0" : "=&r"(x) : "r"(y) : "cc");
    check(x == 4 && y == 1);
    __asm__("movzbl %b1, %0" : "=r"(x) : "q"(0x1ff));
    check(x == 0xff);
#ifdef __LP64__
    __asm__ __volatile__("lock; addl $0,-4(%%rsp)" ::: "memory", "cc");
#else
    __asm__ __volatile__("lock; addl $0,-4(%%esp)" ::: "memory", "cc");
#endif
    __asm__ __volatile__("mfence; rep; nop" ::: "memory");
    return 0;
}
