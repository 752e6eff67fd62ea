// verdict: FALSE
// open: yes
// puts reads the string through its argument.
#include <pthread.h>
#include <stdio.h>

static char line[4] = "abc";

static void *show(void *arg) {
    puts(line);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, show, NULL);
    line[1] = 'x';
    pthread_join(a, NULL);
    return 0;
}
