// run: exit 0
// verdict: TRUE

#include <assert.h>

struct driver { int (*open)(int); void (*close)(void); };
extern const struct driver driver;
extern void install(int (*hook)(int));

static int opened;
static int my_hook(int x) { return opened = x * 2; }

int main(void) {
    install(my_hook);
    assert(driver.open(4) == 8 && opened == 8);
    driver.close();
    assert(driver.open(4) == -1 && opened == 8);
    return 0;
}
