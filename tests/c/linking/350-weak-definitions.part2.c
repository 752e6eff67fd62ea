int f(void) { return 2; }
int x = 2;
int g(void) { return 2; }
int h(void) { return 2; }
