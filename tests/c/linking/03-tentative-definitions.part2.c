extern int shared[4];
extern int a;
int elsewhere;
int elsewhere;

int sum(void) {
    elsewhere = a + shared[3];
    return elsewhere;
}
