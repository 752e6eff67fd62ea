// run: exit 12
// verdict: TRUE

// Tags and typedefs are local to a file.
struct data { int a, b; };
typedef int number;

extern number total(void);

int main(void) {
    struct data d = {1, 2};
    return total() + d.a + d.b;
}
