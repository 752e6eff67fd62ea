// run: exit 0
// verdict: TRUE

#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void) {
    struct tm tm = {0};
    char text[32];
    time_t leap = 951782400; /* 2000-02-29 */
    assert(gmtime_r(&leap, &tm) == &tm && tm.tm_mon == 1 && tm.tm_mday == 29 && tm.tm_wday == 2);
    tm.tm_mday += 366;
    assert(timegm(&tm) == leap + 366 * 86400 && tm.tm_mon == 2 && tm.tm_mday == 1);
    assert(strftime(text, sizeof text, "%Y-%m-%d %j", &tm) == 14 && strcmp(text, "2001-03-01 060") == 0);
    assert(strptime("1999-12-31", "%Y-%m-%d", &tm) && tm.tm_yday == 364 && tm.tm_wday == 5);
    assert(strcmp(asctime(&tm), "Fri Dec 31 00:00:00 1999\n") == 0);
    return 0;
}
