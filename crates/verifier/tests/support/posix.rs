//! The probes: `@` stands for the number of the probe, `probe_@` for `main`.

/// What must come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// TRUE, and gcc's program succeeds.
    Holds,
    /// FALSE, and gcc's program fails.
    Fails,
    /// TRUE, whatever there is in the environment.
    Proved,
    /// FALSE: POSIX allows an outcome that refutes it, which a run need not show.
    Open,
    /// UNKNOWN: neither C nor POSIX defines it.
    Undefined,
    /// UNKNOWN: it is not modelled.
    NotModelled,
}

use Expected::{Fails, Holds, NotModelled, Open, Proved, Undefined};

pub const PRELUDE: &str = "\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
";

pub const PROBES: &[(&str, Expected)] = &[
    // Streams.
    (r#"int probe_@(void) { assert(fopen("x", "r") != 0); return 0; }"#, Open),
    (r#"int probe_@(void) { assert(fopen("x", "r") == 0); return 0; }"#, Open),
    (r#"int probe_@(void) { assert(fopen("x", "z") == 0 && errno == EINVAL); return 0; }"#, Holds),
    (
        r#"int probe_@(void) { errno = 0; if (!fopen("x", "r")) assert(errno > 0); return 0; }"#,
        Proved,
    ),
    (
        r#"int probe_@(void) { errno = 0; if (!fopen("x", "r")) assert(errno == ENOENT); return 0; }"#,
        Open,
    ),
    (
        r#"int probe_@(void) { errno = 0; FILE *f = fopen("x", "r"); if (f) assert(errno == 0); return 0; }"#,
        Open,
    ),
    (
        r#"int probe_@(void) { FILE *f = fopen("x", "r"); if (f) assert(fclose(f) == 0); return 0; }"#,
        Open,
    ),
    (r#"int probe_@(void) { assert(fdopen(-1, "r") == 0 && errno == EBADF); return 0; }"#, Holds),
    (
        r#"int probe_@(void) { assert(stdin != 0 && stdout != 0 && stdin != stderr); return 0; }"#,
        Holds,
    ),
    (r#"int probe_@(void) { assert(printf("abc") == 3); return 0; }"#, Open),
    (r#"int probe_@(void) { int n = printf("abc"); assert(n == 3 || n == -1); return 0; }"#, Holds),
    (r#"int probe_@(void) { errno = 0; printf("abc"); assert(errno == 0); return 0; }"#, Open),
    (
        r#"int probe_@(void) { errno = 0; assert(printf("abc") >= 0 || errno != 0); return 0; }"#,
        Holds,
    ),
    (r#"int probe_@(void) { assert(puts("abc") != EOF); return 0; }"#, Open),
    (r#"int probe_@(void) { char b[4]; assert(fgets(b, 4, stdin) != 0); return 0; }"#, Open),
    (
        r#"int probe_@(void) { char b[4]; if (!fgets(b, 4, stdin)) assert(feof(stdin)); return 0; }"#,
        Open,
    ),
    (
        r#"int probe_@(void) { char b[4]; if (!fgets(b, 4, stdin)) assert(feof(stdin) || ferror(stdin)); return 0; }"#,
        Holds,
    ),
    (r#"int probe_@(void) { char b[4]; assert(fread(b, 1, 4, stdin) == 4); return 0; }"#, Open),
    (
        r#"int probe_@(void) { char b[4]; if (fread(b, 1, 4, stdin) < 4) assert(feof(stdin) || ferror(stdin)); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { if (getchar() == EOF && feof(stdin)) assert(getchar() == EOF); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { assert(fseek(stdin, 0, 77) == -1 && errno == EINVAL); return 0; }"#,
        Holds,
    ),
    (r#"int probe_@(void) { assert(remove("x") == 0); return 0; }"#, Open),
    // Descriptors.
    (
        r#"int probe_@(void) { errno = 0; assert(close(-1) == -1 && errno == EBADF); return 0; }"#,
        Holds,
    ),
    (r#"int probe_@(void) { errno = 0; close(77777); assert(errno == 0); return 0; }"#, Fails),
    (
        r#"int probe_@(void) { assert(write(-1, "x", 1) == -1 && errno == EBADF); return 0; }"#,
        Holds,
    ),
    (r#"int probe_@(void) { assert(write(1, "x", 1) == 1); return 0; }"#, Open),
    (r#"int probe_@(void) { char c; assert(read(0, &c, 1) <= 1); return 0; }"#, Holds),
    (
        r#"int probe_@(void) { assert(lseek(-1, 0, SEEK_SET) == -1 && errno == EBADF); return 0; }"#,
        Holds,
    ),
    (r#"int probe_@(void) { assert(open("x", O_RDONLY) >= 0); return 0; }"#, Open),
    (
        r#"int probe_@(void) { int a = open("x", O_RDONLY), b = open("y", O_RDONLY); assert(a < 0 || a != b); return 0; }"#,
        Proved,
    ),
    (
        r#"int probe_@(void) { int a = open("x", O_RDONLY); if (a >= 0) { close(a); assert(close(a) == -1 && errno == EBADF); } return 0; }"#,
        Proved,
    ),
    (
        r#"int probe_@(void) { int a = open("x", O_RDONLY); assert(a < 0 || write(a, "x", 1) == -1); return 0; }"#,
        Proved,
    ),
    (r#"int probe_@(void) { int a = dup(1); assert(a == -1 || a > 2); return 0; }"#, Holds),
    (r#"int probe_@(void) { assert(dup(-1) == -1 && errno == EBADF); return 0; }"#, Holds),
    (r#"int probe_@(void) { assert(dup2(1, 1) == 1); return 0; }"#, Holds),
    (
        r#"int probe_@(void) { int p[2]; char c; if (pipe(p) == 0) { write(p[1], "x", 1); read(p[0], &c, 1); assert(c == 'x'); } return 0; }"#,
        NotModelled,
    ),
    (
        r#"int probe_@(void) { errno = 0; if (unlink("x") != 0) assert(errno != 0); return 0; }"#,
        Proved,
    ),
    (r#"int probe_@(void) { assert(unlink("x") == 0); return 0; }"#, Open),
    // Semaphores.
    (r#"sem_t s@; int probe_@(void) { assert(sem_init(&s@, 0, 1) == 0); return 0; }"#, Holds),
    (
        r#"sem_t s@; int probe_@(void) { assert(sem_init(&s@, 0, 0x80000000u) == -1 && errno == EINVAL); return 0; }"#,
        Holds,
    ),
    (
        r#"sem_t s@; int probe_@(void) { sem_init(&s@, 0, 0x7fffffffu); assert(sem_post(&s@) == -1 && errno == EOVERFLOW); return 0; }"#,
        Holds,
    ),
    (
        r#"sem_t s@; int probe_@(void) { sem_init(&s@, 0, 0); assert(sem_trywait(&s@) == -1 && errno == EAGAIN); return 0; }"#,
        Holds,
    ),
    (
        r#"sem_t s@; int probe_@(void) { struct timespec t = {0, -1}; sem_init(&s@, 0, 1); assert(sem_timedwait(&s@, &t) == -1 && errno == EINVAL); return 0; }"#,
        Holds,
    ),
    // Times.
    (
        r#"int probe_@(void) { struct timespec t; assert(clock_gettime(1234, &t) == -1 && errno == EINVAL); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { struct timespec t; assert(clock_gettime(-1, &t) == 0); return 0; }"#,
        Fails,
    ),
    (
        r#"int probe_@(void) { struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a); clock_gettime(CLOCK_MONOTONIC, &b);
        assert(a.tv_sec <= b.tv_sec); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { struct timespec t = {0, 1000000000}; assert(nanosleep(&t, 0) == -1 && errno == EINVAL); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { struct timespec t = {-1, 0}; assert(nanosleep(&t, 0) == 0); return 0; }"#,
        Fails,
    ),
    (
        r#"int probe_@(void) { struct timespec t = {0, -1}; errno = 0; assert(clock_nanosleep(0, 0, &t, 0) == EINVAL && errno == 0); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { struct timespec t = {0, -1}; assert(thrd_sleep(&t, 0) == -2); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { struct timespec t; assert(timespec_get(&t, 7) == 0); return 0; }"#,
        Holds,
    ),
    (r#"int probe_@(void) { assert(usleep(3) == 0 && sleep(0) == 0); return 0; }"#, Holds),
    // Attributes.
    (
        r#"int probe_@(void) { pthread_attr_t a; pthread_attr_init(&a); assert(pthread_attr_setstacksize(&a, 1) == EINVAL); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { pthread_attr_t a; size_t n; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 65536);
        pthread_attr_getstacksize(&a, &n); assert(n == 65536); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { pthread_attr_t a; int n; pthread_attr_init(&a); assert(pthread_attr_setdetachstate(&a, 7) == EINVAL);
        pthread_attr_getdetachstate(&a, &n); assert(n == PTHREAD_CREATE_JOINABLE); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { pthread_attr_t a; pthread_attr_init(&a);
        assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS) == ENOTSUP && pthread_attr_setinheritsched(&a, 9) == EINVAL); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { pthread_attr_t a; struct sched_param p = {1}; pthread_attr_init(&a); assert(pthread_attr_setschedpolicy(&a, 77) == EINVAL);
        assert(pthread_attr_setschedparam(&a, &p) == EINVAL); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { pthread_condattr_t a; clockid_t c; pthread_condattr_init(&a); assert(pthread_condattr_setclock(&a, 77) == EINVAL);
        pthread_condattr_setclock(&a, CLOCK_MONOTONIC); pthread_condattr_getclock(&a, &c); assert(c == CLOCK_MONOTONIC); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { pthread_mutexattr_t a; int p; pthread_mutexattr_init(&a); assert(pthread_mutexattr_settype(&a, 9) == EINVAL);
        assert(pthread_mutexattr_setprotocol(&a, 9) == EINVAL); pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
        pthread_mutexattr_getprotocol(&a, &p); assert(p == PTHREAD_PRIO_INHERIT); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { pthread_rwlockattr_t a; pthread_barrierattr_t b; pthread_rwlockattr_init(&a); pthread_barrierattr_init(&b);
        assert(pthread_rwlockattr_setkind_np(&a, 9) == EINVAL && pthread_barrierattr_setpshared(&b, 9) == EINVAL); return 0; }"#,
        Holds,
    ),
    (
        r#"pthread_barrier_t b@; int probe_@(void) { assert(pthread_barrier_init(&b@, 0, 0) == EINVAL && pthread_barrier_init(&b@, 0, -1) == EINVAL); return 0; }"#,
        Holds,
    ),
    // Locks.
    (
        r#"pthread_rwlock_t l@ = PTHREAD_RWLOCK_INITIALIZER; int probe_@(void) { pthread_rwlock_wrlock(&l@);
        assert(pthread_rwlock_wrlock(&l@) == EDEADLK && pthread_rwlock_rdlock(&l@) == EDEADLK); return 0; }"#,
        Holds,
    ),
    (
        r#"pthread_rwlock_t l@ = PTHREAD_RWLOCK_INITIALIZER; int probe_@(void) { pthread_rwlock_wrlock(&l@); pthread_rwlock_wrlock(&l@); assert(0); return 0; }"#,
        Fails,
    ),
    (
        r#"pthread_rwlock_t l@ = PTHREAD_RWLOCK_INITIALIZER; int probe_@(void) { struct timespec t = {0, -5};
        assert(pthread_rwlock_timedrdlock(&l@, &t) == EINVAL && pthread_rwlock_tryrdlock(&l@) == 0 && pthread_rwlock_trywrlock(&l@) == EBUSY); return 0; }"#,
        Holds,
    ),
    (
        r#"pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER; int probe_@(void) { struct timespec t = {0, -5};
        assert(pthread_mutex_timedlock(&m@, &t) == 0 && pthread_mutex_timedlock(&m@, &t) == EINVAL); return 0; }"#,
        Holds,
    ),
    (
        r#"pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c@ = PTHREAD_COND_INITIALIZER;
        int probe_@(void) { struct timespec t = {0, 1000000000}; pthread_mutex_lock(&m@);
        assert(pthread_cond_timedwait(&c@, &m@, &t) == EINVAL); return 0; }"#,
        Holds,
    ),
    (
        r#"pthread_mutex_t m@ = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP; int probe_@(void) { assert(pthread_mutex_unlock(&m@) == EPERM); return 0; }"#,
        Holds,
    ),
    (
        r#"pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER; int probe_@(void) { pthread_mutex_lock(&m@); int r = pthread_mutex_destroy(&m@); assert(r == 0); return 0; }"#,
        Undefined,
    ),
    (
        r#"pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER; int probe_@(void) { pthread_mutex_lock(&m@); int r = pthread_mutex_destroy(&m@); assert(r != 0); return 0; }"#,
        Undefined,
    ),
    (
        r#"pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER; int probe_@(void) { int r = pthread_mutex_unlock(&m@); assert(r == 0); return 0; }"#,
        Undefined,
    ),
    (
        r#"pthread_rwlock_t l@ = PTHREAD_RWLOCK_INITIALIZER; int probe_@(void) { int r = pthread_rwlock_unlock(&l@); assert(r == 0); return 0; }"#,
        Undefined,
    ),
    (
        r#"mtx_t m@; int probe_@(void) { struct timespec t = {0, -5}; mtx_init(&m@, mtx_timed); mtx_lock(&m@); assert(mtx_timedlock(&m@, &t) == thrd_error); return 0; }"#,
        Holds,
    ),
    // Threads.
    (
        r#"int probe_@(void) { assert(pthread_join(pthread_self(), 0) == EDEADLK); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { assert(thrd_join(thrd_current(), 0) == thrd_error); return 0; }"#,
        Holds,
    ),
    (
        r#"void *f@(void *x) { return x; } int probe_@(void) { pthread_t t; pthread_create(&t, 0, f@, 0); pthread_detach(t); assert(pthread_detach(t) == 0); return 0; }"#,
        Undefined,
    ),
    (
        r#"void *f@(void *x) { return x; } int probe_@(void) { pthread_t t; pthread_create(&t, 0, f@, 0); pthread_detach(t); assert(pthread_join(t, 0) != 0); return 0; }"#,
        Undefined,
    ),
    (
        r#"void *f@(void *x) { return x; } int probe_@(void) { pthread_t t; pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, 1);
        pthread_create(&t, &a, f@, 0); assert(pthread_join(t, 0) == EINVAL); return 0; }"#,
        Undefined,
    ),
    (
        r#"void *f@(void *x) { return x; } int probe_@(void) { pthread_t t; pthread_create(&t, 0, f@, 0); assert(pthread_detach(t) == 0); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { assert(pthread_setname_np(pthread_self(), "more than fifteen characters") == ERANGE); return 0; }"#,
        Holds,
    ),
    (
        r#"void *f@(void *x) { close(-1); return x; } int probe_@(void) { pthread_t t; errno = 0; pthread_create(&t, 0, f@, 0);
        pthread_join(t, 0); assert(errno == 0); return 0; }"#,
        Holds,
    ),
    // Cancellation and clean-up.
    (
        r#"void *f@(void *x) { pthread_testcancel(); return x; } int probe_@(void) { pthread_t t; void *r; pthread_create(&t, 0, f@, 0);
        pthread_cancel(t); pthread_join(t, &r); assert(r == PTHREAD_CANCELED || r == 0); return 0; }"#,
        Holds,
    ),
    (
        r#"void *f@(void *x) { pthread_testcancel(); return x; } int probe_@(void) { pthread_t t; void *r; pthread_create(&t, 0, f@, 0);
        pthread_cancel(t); pthread_join(t, &r); assert(r == 0); return 0; }"#,
        Open,
    ),
    (
        r#"void *f@(void *x) { int old; pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old); assert(old == PTHREAD_CANCEL_ENABLE); pthread_cancel(pthread_self());
        pthread_testcancel(); return (void *)5; }
        int probe_@(void) { pthread_t t; void *r; pthread_create(&t, 0, f@, 0); pthread_join(t, &r); assert(r == (void *)5); return 0; }"#,
        Holds,
    ),
    (
        r#"void *f@(void *x) { pthread_cancel(pthread_self()); sleep(1); assert(0); return x; }
        int probe_@(void) { pthread_t t; void *r; pthread_create(&t, 0, f@, 0); pthread_join(t, &r); assert(r == PTHREAD_CANCELED); return 0; }"#,
        Holds,
    ),
    (
        r#"int x@; void h@(void *p) { x@ = x@ * 10 + (int)(long)p; }
        void *f@(void *p) { pthread_cleanup_push(h@, (void *)1); pthread_cleanup_push(h@, (void *)2); pthread_exit(0); pthread_cleanup_pop(1); pthread_cleanup_pop(0); return p; }
        int probe_@(void) { pthread_t t; pthread_create(&t, 0, f@, 0); pthread_join(t, 0); assert(x@ == 21); return 0; }"#,
        Holds,
    ),
    (
        r#"int x@; void h@(void *p) { x@ = x@ * 10 + (int)(long)p; }
        int probe_@(void) { pthread_cleanup_push(h@, (void *)1); pthread_cleanup_push(h@, (void *)2); pthread_cleanup_pop(0); pthread_cleanup_pop(1); assert(x@ == 1); return 0; }"#,
        Holds,
    ),
    (
        r#"pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c@ = PTHREAD_COND_INITIALIZER; void h@(void *p) { pthread_mutex_unlock(p); }
        void *f@(void *p) { pthread_mutex_lock(&m@); pthread_cleanup_push(h@, &m@); for (;;) pthread_cond_wait(&c@, &m@); pthread_cleanup_pop(1); return p; }
        int probe_@(void) { pthread_t t; void *r; pthread_create(&t, 0, f@, 0); pthread_cancel(t); pthread_join(t, &r); assert(r == PTHREAD_CANCELED);
        assert(pthread_mutex_trylock(&m@) == 0); return 0; }"#,
        Holds,
    ),
    (
        r#"sem_t s@; void *f@(void *p) { sem_wait(&s@); assert(0); return p; }
        int probe_@(void) { pthread_t t; void *r; sem_init(&s@, 0, 0); pthread_create(&t, 0, f@, 0); pthread_cancel(t); pthread_join(t, &r); assert(r == PTHREAD_CANCELED); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { assert(pthread_setcancelstate(7, 0) == EINVAL && pthread_setcanceltype(7, 0) == EINVAL); return 0; }"#,
        Holds,
    ),
    // The end of the program.
    (
        r#"int x@; void a@(void) { assert(x@ == 2); } void b@(void) { x@ *= 2; } int probe_@(void) { x@ = 1; atexit(a@); atexit(b@); return 0; }"#,
        Holds,
    ),
    (
        r#"int x@; void a@(void) { assert(x@ == 1); } void b@(void) { x@ = 1; } int probe_@(void) { atexit(b@); atexit(a@); exit(0); }"#,
        Fails,
    ),
    (
        r#"int x@; void c@(void) { x@ = 3; } void b@(void) { atexit(c@); } void a@(void) { assert(x@ == 3); } int probe_@(void) { atexit(a@); atexit(b@); exit(0); }"#,
        Holds,
    ),
    (
        r#"int x@; void b@(void) { x@ = 1; exit(0); } void a@(void) { assert(x@ == 0); } int probe_@(void) { atexit(a@); atexit(b@); return 0; }"#,
        Fails,
    ),
    (
        r#"void a@(void) { assert(0); } int probe_@(void) { atexit(a@); at_quick_exit(a@); _exit(0); }"#,
        Holds,
    ),
    (
        r#"void a@(void) { assert(0); } int probe_@(void) { at_quick_exit(a@); quick_exit(0); }"#,
        Fails,
    ),
    (
        r#"void a@(int s, void *p) { assert(s == 3 && p == (void *)8); _exit(0); } int probe_@(void) { on_exit(a@, (void *)8); exit(3); }"#,
        Holds,
    ),
    (
        r#"int x@; void a@(void) { assert(x@ == 1); } void *f@(void *p) { x@ = 1; return p; }
        int probe_@(void) { pthread_t t; atexit(a@); pthread_create(&t, 0, f@, 0); pthread_exit(0); }"#,
        Holds,
    ),
    (
        r#"int x@; void a@(void) { assert(x@ == 0); } void *f@(void *p) { x@ = 1; return p; }
        int probe_@(void) { pthread_t t; atexit(a@); pthread_create(&t, 0, f@, 0); pthread_exit(0); }"#,
        Fails,
    ),
    // Signals.
    (
        r#"int x@; void h@(int s) { x@ = s; } int probe_@(void) { assert(signal(SIGUSR1, h@) == SIG_DFL); raise(SIGUSR1); assert(x@ == SIGUSR1 && signal(SIGUSR1, SIG_IGN) == h@); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { assert(signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL); return 0; }"#,
        Holds,
    ),
    (
        r#"int x@; void h@(int s) { x@++; if (x@ == 1) { raise(SIGUSR1); assert(x@ == 1); } }
        int probe_@(void) { struct sigaction a; sigemptyset(&a.sa_mask); a.sa_flags = 0; a.sa_handler = h@; assert(sigaction(SIGUSR1, &a, 0) == 0); raise(SIGUSR1); assert(x@ == 2); return 0; }"#,
        Holds,
    ),
    (
        r#"int x@; void h@(int s) { x@ = 1; } int probe_@(void) { sigset_t s; signal(SIGUSR2, h@); sigemptyset(&s); sigaddset(&s, SIGUSR2); sigprocmask(SIG_BLOCK, &s, 0);
        raise(SIGUSR2); assert(x@ == 0); sigprocmask(SIG_UNBLOCK, &s, 0); assert(x@ == 1); return 0; }"#,
        Holds,
    ),
    (
        r#"int probe_@(void) { sigset_t s; struct sigaction a; assert(sigprocmask(9, &s, 0) == -1 && errno == EINVAL); assert(sigaction(99, 0, &a) == -1 && errno == EINVAL); return 0; }"#,
        Holds,
    ),
    (r#"void h@(int s) { _exit(0); } int probe_@(void) { signal(SIGABRT, h@); abort(); }"#, Holds),
    (r#"int probe_@(void) { alarm(1); assert(0); return 0; }"#, NotModelled),
    // Memory and atomics.
    (r#"int probe_@(void) { void *p = malloc(4); assert(realloc(p, 0) != 0); return 0; }"#, Fails),
    (
        r#"int probe_@(void) { size_t n = getpid() > 0 ? 0 : 1; void *p = realloc(malloc(4), n); assert(p == 0); assert(realloc(0, 0) != 0); return 0; }"#,
        Holds,
    ),
    (
        r#"atomic_int x@; int probe_@(void) { int e = 0; assert(atomic_compare_exchange_strong(&x@, &e, 1)); return 0; }"#,
        Holds,
    ),
    (
        r#"atomic_int x@; int probe_@(void) { int e = 0; assert(atomic_compare_exchange_weak(&x@, &e, 1)); return 0; }"#,
        Open,
    ),
    (
        r#"atomic_int x@; int probe_@(void) { int e = 0; while (!atomic_compare_exchange_weak_explicit(&x@, &e, 1, memory_order_relaxed, memory_order_relaxed)) assert(e == 0); assert(x@ == 1); return 0; }"#,
        Holds,
    ),
    (
        r#"int x@; int probe_@(void) { int e = 0; assert(__atomic_compare_exchange_n(&x@, &e, 1, 1, 5, 5)); return 0; }"#,
        Open,
    ),
    (
        r#"int x@; int probe_@(void) { int e = 0, w = getpid() < 0; assert(__atomic_compare_exchange_n(&x@, &e, 1, w, 5, 5)); return 0; }"#,
        Holds,
    ),
];
