// run: exit 0
// verdict: TRUE

// What gcc computes without optimisation: the size where the object is named, "unknown" otherwise.
#include <assert.h>

struct s { int a; char text[10]; int b; } g, list[3];
char buffer[16], table[3][7];
extern char elsewhere[];
struct flexible { int n; char data[]; } tail = { 3, "abc" };

#define SIZE(e, kind) ((int)__builtin_object_size(e, kind))
#define BOTH(e, object, closest)                                         \
    (SIZE(e, 0) == (object) && SIZE(e, 2) == (object) && SIZE(e, 1) == (closest) && \
     SIZE(e, 3) == (closest) && (int)__builtin_dynamic_object_size(e, 0) == (object))
#define UNKNOWN(e) (SIZE(e, 0) == -1 && SIZE(e, 1) == -1 && SIZE(e, 2) == 0 && SIZE(e, 3) == 0)

static void bounded(char *to, unsigned long size) {
    if (size != (__SIZE_TYPE__)-1) assert(size >= 4);
    to[3] = 0;
}

int main(void) {
    char local[20], *stored = local;
    int i = 3;
    assert(BOTH(buffer, 16, 16) && BOTH(&buffer, 16, 16) && BOTH(&buffer[3], 13, 13));
    assert(BOTH(&buffer[20], 0, 0) && BOTH(local, 20, 20) && BOTH("hello", 6, 6));
    assert(BOTH(&g.a, 20, 4) && BOTH(g.text, 16, 10) && BOTH(&g.text[2], 14, 8));
    assert(BOTH(&list[1], 40, 40) && BOTH(list[1].text, 36, 10) && BOTH(&table[1][2], 12, 5));
    assert(BOTH(tail.data, 4, 4) && BOTH((char *)&g, 20, 20) && BOTH((&g)->text, 16, 10));
    // After arithmetic the member is forgotten, the object is not.
    assert(SIZE(buffer + 3, 0) == 13 && SIZE(buffer + 3, 1) == -1 && SIZE(g.text + 2, 3) == 0);
    assert(UNKNOWN(stored) && UNKNOWN(stored + 1) && UNKNOWN(&local[i]) && UNKNOWN(elsewhere));
    assert(UNKNOWN((i++, buffer)) && i == 3);
    bounded(buffer, __builtin_object_size(buffer, 0));
    return 0;
}
