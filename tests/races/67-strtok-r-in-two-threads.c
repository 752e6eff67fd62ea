// verdict: TRUE
// strtok_r keeps its place where the caller says.
#include <pthread.h>
#include <string.h>

static void *split(void *arg) {
    char *text = arg, *place;
    strtok_r(text, " ", &place);
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
