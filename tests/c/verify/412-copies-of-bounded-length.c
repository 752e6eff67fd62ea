// run: exit 0
// verdict: TRUE

// Copies and fills of a length that has a bound change so many bytes, and no others.
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern void *memmove(void *, const void *, __SIZE_TYPE__);
extern void *memset(void *, int, __SIZE_TYPE__);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    char from[4] = "abc", to[4] = "xyz";
    unsigned length = __VERIFIER_nondet_uchar() % 5;
    memcpy(to, from, length);
    if (length == 2 && (to[0] != 'a' || to[1] != 'b' || to[2] != 'z')) reach_error();

    int words[3] = {1, 2, 3};
    unsigned count = __VERIFIER_nondet_uchar();
    if (count > 3) count = 3;
    memset(words, 0, count * sizeof(int));
    if ((count > 1) != (words[1] == 0) || (count == 3) != (words[2] == 0)) reach_error();

    memmove(from + 1, from, length % 3);
    if (length == 4 && (from[0] != 'a' || from[1] != 'a' || from[2] != 'c')) reach_error();
    return 0;
}
