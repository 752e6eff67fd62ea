// <time.h> and <sys/time.h>: the clock may show anything. time_t is long in both data models.

//: time
long __ravelin_any_long(void);
long time(long *result) {
    long now = __ravelin_any_long();
    if (result != 0) *result = now;
    return now;
}

//: difftime
// The difference is exact before it is rounded, as glibc has it.
double difftime(long end, long begin) {
    unsigned long difference = (unsigned long)end - (unsigned long)begin;
    return end < begin ? -(double)-difference : (double)difference;
}

//: gettimeofday
long __ravelin_any_long(void);
struct __ravelin_timeval { long seconds; long microseconds; };
int gettimeofday(struct __ravelin_timeval *result, void *zone) {
    if (result != 0) {
        result->seconds = __ravelin_any_long();
        result->microseconds = (unsigned long)__ravelin_any_long() % 1000000ul;
    }
    return 0;
}

//: clock_gettime timespec_get
long __ravelin_any_long(void);
struct __ravelin_timespec { long seconds; long nanoseconds; };
int clock_gettime(int clock, struct __ravelin_timespec *result) {
    result->seconds = __ravelin_any_long();
    result->nanoseconds = (unsigned long)__ravelin_any_long() % 1000000000ul;
    return 0;
}
int timespec_get(struct __ravelin_timespec *result, int base) {
    clock_gettime(0, result);
    return base;
}
