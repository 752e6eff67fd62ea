// run: exit 0
// verdict: TRUE

extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern void *memset(void *, int, __SIZE_TYPE__);
extern void *memmove(void *, const void *, __SIZE_TYPE__);
extern void reach_error(void);

struct pair {
    short a;
    int b;
};

int main(void) {
    struct pair p = {1, 2}, q;
    unsigned char bytes[6];
    memcpy(&q, &p, sizeof q);
    p.b = 9;
    if (q.a != 1 || q.b != 2) reach_error();
    memset(bytes, 0xee, sizeof bytes);
    bytes[0] = 1;
    memmove(bytes + 1, bytes, 3);
    if (bytes[0] != 1 || bytes[1] != 1 || bytes[2] != 0xee || bytes[5] != 0xee) reach_error();
    memset(&q, 0, sizeof q);
    if (q.a || q.b) reach_error();
    return 0;
}
