// verdict: TRUE
// The object is complete before its address is published under the mutex; nobody writes it later.
#include <pthread.h>
#include <stdlib.h>

struct config {
    int width, height;
};

static struct config *current;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *setup(void *arg) {
    struct config *c = malloc(sizeof *c);
    c->width = 640;
    c->height = 480;
    pthread_mutex_lock(&m);
    current = c;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, setup, NULL);
    pthread_mutex_lock(&m);
    struct config *c = current;
    pthread_mutex_unlock(&m);
    int width = c ? c->width : 640;
    pthread_join(a, NULL);
    return width - 640;
}
