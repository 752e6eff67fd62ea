// run: exit 3
// verdict: TRUE

// Labels, tags, members and ordinary identifiers live in different name spaces (C11 6.2.3).
struct x { int x; };

int main(void) {
    struct x x = {0};
x:
    x.x++;
    if (x.x < 3) goto x;
    return x.x;
}
