// run: exit 0
// verdict: TRUE

#include <assert.h>

static const char *global = "global";

int main(void) {
    const char *s = "abc";
    assert(s[0] == 'a' && s[3] == 0 && *(s + 2) == 'c');
    assert(sizeof "abc" == 4 && sizeof "" == 1);
    assert("abc"[1] == 'b' && 2 ["abc"] == 'c');
    assert(*"x" == 'x' && *"" == 0);
    const char *joined = "one" " "
                         "two";
    assert(joined[3] == ' ' && joined[6] == 'o' && joined[7] == 0);
    assert(global[5] == 'l');
    const char *names[] = {"zero", "one"};
    assert(names[1][2] == 'e');
    assert(__func__[0] == 'm' && sizeof __func__ == 5);
    return 0;
}
