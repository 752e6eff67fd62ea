// run: exit 4
// verdict: TRUE

// A label at the end of a block or before a declaration (GNU, C23).
int main(void) {
    int x = 0;
    for (int i = 0; i < 6; i++) {
        if (i % 3 == 2) goto next;
        x++;
    next:
    }
    switch (x) {
    case 1:
        x = 9;
        break;
    case 4:
        int y = x;
        x = y;
    default:
    }
    return x;
}
