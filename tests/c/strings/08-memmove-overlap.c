// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <string.h>

int main(void) {
    char s[] = "abcdefgh";
    memmove(s + 2, s, 4);
    assert(strcmp(s, "ababcdgh") == 0);
    memmove(s, s + 3, 5);
    assert(strcmp(s, "bcdghdgh") == 0);
    memmove(s + 1, s + 1, 3);
    assert(strcmp(s, "bcdghdgh") == 0);
    void *links[3] = {s, links, 0};
    memmove(links + 1, links, 2 * sizeof *links);
    assert(links[0] == s && links[1] == s && links[2] == links);
    return 0;
}
