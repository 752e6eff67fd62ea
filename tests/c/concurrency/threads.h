// How most of these programs run their threads. The macros stand for the calls, in this order: a program is the same as
// if they were written out.
#include <pthread.h>

// A thread that main waits for at once.
#define RUN(function)                               \
    pthread_t thread;                               \
    pthread_create(&thread, NULL, function, NULL);  \
    pthread_join(thread, NULL)

// A thread that main waits for, and what main does in the meantime.
#define RUN_BESIDE(function, meanwhile)             \
    pthread_t thread;                               \
    pthread_create(&thread, NULL, function, NULL);  \
    meanwhile;                                      \
    pthread_join(thread, NULL)

// Two threads that main waits for.
#define RUN_BOTH(first, second)                \
    pthread_t one, two;                        \
    pthread_create(&one, NULL, first, NULL);   \
    pthread_create(&two, NULL, second, NULL);  \
    pthread_join(one, NULL);                   \
    pthread_join(two, NULL)

// A mutex of another kind than the default.
#define INIT_MUTEX(mutex, kind)                    \
    pthread_mutexattr_t attributes;                \
    pthread_mutexattr_init(&attributes);           \
    pthread_mutexattr_settype(&attributes, kind);  \
    pthread_mutex_init(&mutex, &attributes)
