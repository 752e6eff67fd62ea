// verdict: FALSE
// strtok keeps its place in static storage (C11 7.24.5.8p6: it need not avoid data races).
#include <pthread.h>
#include <string.h>

static void *split(void *arg) {
    char *text = arg;
    strtok(text, " ");
    return NULL;
}

int main(void) {
    pthread_t a;
    char mine[] = "a b", other[] = "c d";
    pthread_create(&a, NULL, split, other);
    split(mine);
    pthread_join(a, NULL);
    return 0;
}
