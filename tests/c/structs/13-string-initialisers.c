// run: exit 0
// verdict: TRUE

#include <assert.h>

struct record { char name[4]; char *link; char tail[]; };

static char exact[3] = "abc";
static char longer[6] = "ab";
static char sized[] = "ab\0cd";
static char braced[] = {"xyz"};
static char rows[2][4] = {"one", "two"};
static struct record r = {"key", "value"};

int main(void) {
    assert(sizeof exact == 3 && exact[2] == 'c');
    assert(longer[2] == 0 && longer[5] == 0);
    assert(sizeof sized == 6 && sized[3] == 'c' && sized[5] == 0);
    assert(sizeof braced == 4 && braced[2] == 'z');
    assert(rows[1][2] == 'o' && rows[0][3] == 0);
    assert(r.name[3] == 0 && r.link[4] == 'e');
    char local[8] = "loc" "al";
    assert(local[4] == 'l' && local[5] == 0 && local[7] == 0);
    local[0] = 'v';
    char second[8] = "local";
    assert(second[0] == 'l');
    return 0;
}
