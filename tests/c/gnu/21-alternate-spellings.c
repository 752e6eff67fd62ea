// run: exit 0
// verdict: TRUE

// __extension__, alternate keywords, empty initialiser braces, stray semicolons, digraphs.
#include <assert.h>

__extension__ typedef long long int wide;
struct s { int a; ; struct { int b; }; };
;
static __inline __signed__ int __attribute__((unused)) f(int *__restrict__ p) { return *p; }

int main(void) <%
    struct s s = {};
    assert(s.a == 0 && s.b == 0);
    int a<:2:> = {1, 2};
    assert(a[1] == 2);
    const volatile __const int k = __extension__ 3;
    assert(k == 3 && sizeof(wide) == 8);
    long unsigned int long odd = 5;
    assert(sizeof odd == 8 && f(a) == 1);
    static_assert(sizeof(int) == 4, "int");
    ;;
    return 0;
%>
