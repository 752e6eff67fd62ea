// outcomes: 3
// verdict: TRUE

#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static thread_local int private = 1;
static int count;

static void setup(void) { count++; }

static int worker(void *arg) {
    call_once(&flag, setup);
    private++;
    thrd_exit(private);
}

int main(void) {
    thrd_t t;
    int result;
    thrd_create(&t, worker, NULL);
    call_once(&flag, setup);
    thrd_join(t, &result);
    return result * count + private;
}
