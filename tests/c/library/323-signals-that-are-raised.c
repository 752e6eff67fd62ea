// run: exit 0
// verdict: TRUE

// A handler runs where its signal is raised, not while it is blocked, and not in itself.
#include <assert.h>
#include <errno.h>
#include <signal.h>

static int count;

static void handler(int number) {
    count++;
    if (count == 1) {
        raise(number);
        assert(count == 1);
    }
}

int main(void) {
    sigset_t set;
    assert(signal(SIGUSR1, handler) == SIG_DFL);
    raise(SIGUSR1);
    assert(count == 2);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    raise(SIGUSR1);
    assert(count == 2);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    assert(count == 3);
    assert(signal(SIGKILL, handler) == SIG_ERR && errno == EINVAL);
    raise(SIGCHLD);
    return 0;
}
