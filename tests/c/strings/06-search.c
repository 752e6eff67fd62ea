// run: exit 0
// verdict: TRUE

#include <assert.h>
#include <string.h>

int main(void) {
    const char *s = "mississippi";
    assert(strchr(s, 's') == s + 2);
    assert(strrchr(s, 's') == s + 6);
    assert(strchr(s, 'x') == NULL);
    assert(strchr(s, 0) == s + 11);
    assert(strrchr(s, 'm') == s);
    assert(strstr(s, "ssip") == s + 5);
    assert(strstr(s, "") == s && strstr(s, "sspp") == NULL);
    assert(memchr(s, 'p', 11) == s + 8 && memchr(s, 'p', 8) == NULL);
    assert(strspn(s, "mis") == 8 && strcspn(s, "ps") == 2);
    return 0;
}
