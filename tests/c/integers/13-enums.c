// run: exit 0
// verdict: TRUE

// Enumerators are int; gcc makes the enum itself unsigned when no enumerator is negative.
#include <assert.h>

enum color { RED, GREEN = 5, BLUE, ALSO_RED = 0, LAST = BLUE * 2 + sizeof(char) };
enum level { LOW = -1, MID, HIGH };
enum { ANONYMOUS = 'a' };

int main(void) {
    assert(RED == 0 && GREEN == 5 && BLUE == 6 && ALSO_RED == 0 && LAST == 13);
    assert(LOW == -1 && MID == 0 && HIGH == 1);
    assert(ANONYMOUS == 97);
    enum color c = RED;
    c--;
    assert(c > 0);
    assert(c == (enum color)-1);
    enum level l = MID;
    l--;
    assert(l < 0 && l == LOW);
    enum { RED = 40 } inner = RED;
    assert(inner == 40);
    int table[LAST] = {[BLUE] = 9};
    assert(sizeof table / sizeof *table == 13 && table[6] == 9);
    return 0;
}
