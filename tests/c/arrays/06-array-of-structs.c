// run: exit 0
// verdict: TRUE

#include <assert.h>

struct entry { char key; int values[3]; };

static int lookup(const struct entry *table, int count, char key) {
    for (int i = 0; i < count; i++)
        if (table[i].key == key) return table[i].values[i];
    return -1;
}

int main(void) {
    struct entry table[3] = {{'a', {1, 2, 3}}, {.key = 'b', .values = {[1] = 7}}, {'c'}};
    assert(sizeof table == 3 * 16);
    assert(lookup(table, 3, 'a') == 1);
    assert(lookup(table, 3, 'b') == 7);
    assert(lookup(table, 3, 'c') == 0);
    assert(lookup(table, 3, 'x') == -1);
    table[2] = table[0];
    table[0].values[2] = 99;
    assert(table[2].key == 'a' && table[2].values[2] == 3);
    struct entry *p = &table[1];
    p[1].values[p->values[1] - 6] = 5;
    assert(table[2].values[1] == 5);
    int *v = table->values;
    assert(v[2] == 99 && (p - table) == 1);
    return 0;
}
