// run: invalid-memory

int main(void) {
    int a[5] = {0};
    int i = 0;
    while (a[i] == 0) i++;
    return i;
}
