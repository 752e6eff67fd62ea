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

//: clock
// Processor time, or -1. With 64 bits it never comes around.
long __ravelin_any_long(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static long __ravelin_used_time;
long clock(void) {
    long now = __ravelin_any_long();
    if (now == -1 || sizeof(long) == 4) return now;
    __VERIFIER_atomic_begin();
    if (now < __ravelin_used_time) now = __ravelin_used_time;
    __ravelin_used_time = now;
    __VERIFIER_atomic_end();
    return now;
}

//: __ravelin_clock_status
// Whether Linux has a clock of this number: 0, an error number, or -1 if that is open. 10 was the clock of one
// machine; numbers below zero stand for processes, threads and devices, 3 in the lower two bits for none of their
// clocks, unless 3 in the lower three.
int __ravelin_clock_status(int clock) {
    if (clock >= 0) return clock == 8 || clock == 9 ? -1 : clock <= 11 && clock != 10 ? 0 : 22; /* EINVAL */
    return (clock & 7) == 7 ? 22 : -1; /* EINVAL */
}

//: clock_gettime clock_getres timespec_get
// The clocks that nobody can set never go back.
long __ravelin_any_long(void);
int __ravelin_any_int(void);
void __ravelin_set_errno(int error);
void __ravelin_unsupported(const char *why);
int __ravelin_clock_status(int clock);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
struct __ravelin_timespec { long seconds; long nanoseconds; };
static struct __ravelin_timespec __ravelin_shown[12];
static int __ravelin_find_clock(int clock) {
    int status = __ravelin_clock_status(clock);
    if (status == -1 && clock < 0) __ravelin_unsupported("clocks of other processes and devices");
    if (status == 22 || (status == -1 && __ravelin_any_int())) {
        __ravelin_set_errno(22); /* EINVAL */
        return -1;
    }
    return 0;
}
int clock_gettime(int clock, struct __ravelin_timespec *result) {
    long seconds = __ravelin_any_long();
    long nanoseconds = (unsigned long)__ravelin_any_long() % 1000000000ul;
    if (__ravelin_find_clock(clock) != 0) return -1;
    if (clock != 0 && clock != 5 && clock != 8 && clock != 11) {
        struct __ravelin_timespec *last = &__ravelin_shown[clock];
        __VERIFIER_atomic_begin();
        if (seconds < last->seconds || (seconds == last->seconds && nanoseconds < last->nanoseconds)) {
            seconds = last->seconds;
            nanoseconds = last->nanoseconds;
        }
        last->seconds = seconds;
        last->nanoseconds = nanoseconds;
        __VERIFIER_atomic_end();
    }
    result->seconds = seconds;
    result->nanoseconds = nanoseconds;
    return 0;
}
int clock_getres(int clock, struct __ravelin_timespec *result) {
    if (__ravelin_find_clock(clock) != 0) return -1;
    if (result != 0) {
        result->seconds = 0;
        result->nanoseconds = (unsigned long)__ravelin_any_long() % 999999999ul + 1;
    }
    return 0;
}
// TIME_UTC is 1, and glibc knows no other.
int timespec_get(struct __ravelin_timespec *result, int base) {
    if (base != 1) return 0;
    clock_gettime(0, result);
    return base;
}

//: nanosleep clock_nanosleep thrd_sleep
// Nothing interrupts: handlers run only in the thread that raises a signal.
int __ravelin_any_int(void);
void __ravelin_set_errno(int error);
void __ravelin_unsupported(const char *why);
void __ravelin_cancellation_point(void);
int __ravelin_clock_status(int clock);
struct __ravelin_duration { long seconds; long nanoseconds; };
static int __ravelin_is_time(const struct __ravelin_duration *time) {
    return time->seconds >= 0 && time->nanoseconds >= 0 && time->nanoseconds <= 999999999;
}
int nanosleep(const struct __ravelin_duration *time, struct __ravelin_duration *rest) {
    __ravelin_cancellation_point();
    if (__ravelin_is_time(time)) return 0;
    __ravelin_set_errno(22); /* EINVAL */
    return -1;
}
// An error is the result here.
int clock_nanosleep(int clock, int flags, const struct __ravelin_duration *time,
                    struct __ravelin_duration *rest) {
    int status = __ravelin_clock_status(clock);
    __ravelin_cancellation_point();
    if (status == 22 || clock == 3 || !__ravelin_is_time(time)) return 22; /* EINVAL */
    if (clock != 0 && clock != 1 && clock != 2 && clock != 7 && clock != 11) {
        __ravelin_unsupported("to sleep by such a clock");
    }
    return 0;
}
int thrd_sleep(const struct __ravelin_duration *time, struct __ravelin_duration *rest) {
    __ravelin_cancellation_point();
    return __ravelin_is_time(time) ? 0 : -2;
}

//: timer_create timer_delete
// Nothing comes of a timer before it is set.
int __ravelin_any_int(void);
long __ravelin_any_long(void);
void __ravelin_set_any_errno(void);
void __ravelin_set_errno(int error);
void __ravelin_unsupported(const char *why);
int timer_create(int clock, void *event, void **timer) {
    if (event != 0) __ravelin_unsupported("signals of timers");
    if (clock > 11 || clock == 10) { /* Linux has no such clock. */
        __ravelin_set_errno(22); /* EINVAL */
        return -1;
    }
    if (!__ravelin_any_int()) {
        __ravelin_set_any_errno();
        return -1;
    }
    *timer = (void *)__ravelin_any_long();
    return 0;
}
int timer_delete(void *timer) {
    if (__ravelin_any_int()) return 0;
    __ravelin_set_errno(22); /* EINVAL */
    return -1;
}

//: tzset
// The environment says whether there is a summer time; that is all of the time zone that is modelled. It stays as it is
// in programs that do not change the environment.
int daylight;
static int __ravelin_time_zone_is_set;
int __ravelin_any_int(void);
void __ravelin_no_time_zone(void);
void tzset(void) {
    __ravelin_no_time_zone();
    if (__ravelin_time_zone_is_set) return;
    __ravelin_time_zone_is_set = 1;
    daylight = __ravelin_any_int() & 1;
}

//: __ravelin_reject_time_zone
void __ravelin_unsupported(const char *why);
void __ravelin_reject_time_zone(void) {
    __ravelin_unsupported("local time");
}
