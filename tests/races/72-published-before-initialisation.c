// verdict: FALSE
// The address is published before the last member is written.
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
    pthread_mutex_lock(&m);
    current = c;
    pthread_mutex_unlock(&m);
    c->height = 480;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, setup, NULL);
    pthread_mutex_lock(&m);
    struct config *c = current;
    pthread_mutex_unlock(&m);
    int height = c ? c->height : 480;
    pthread_join(a, NULL);
    return height - 480;
}
