// Calendar time.

#include <time.h>

MODEL(gmtime_r); MODEL(gmtime); MODEL(timegm); MODEL(asctime_r); MODEL(asctime); MODEL(strftime);
MODEL(strptime);

static int same_tm(const struct tm *a, const struct tm *b) {
    return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour
        && a->tm_mday == b->tm_mday && a->tm_mon == b->tm_mon && a->tm_year == b->tm_year
        && a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday && a->tm_isdst == b->tm_isdst
        && a->tm_gmtoff == b->tm_gmtoff;
}

static int draw_field(int most) {
    return draw() % 4 ? (int)(draw() % (unsigned)(most + 1)) : (int)draw() >> draw() % 32;
}

static void calendar(void) {
    static const char *const reads[] = {
        "%Y-%m-%d", "%F %T", "%d/%m/%y %H:%M", "%e %b %Y", "%A %d %B %Y", "%j %Y", "%I:%M %p", "%D",
        "%R%n%%", "%r", "%a, %d %h %Y %X", "%H%M%S", "%u %w", "%m %Y",
    };
    char detail[160], p[130], q[130], format[4] = "%a";
    for (int round = 0; round < 30000; round++) {
        time_t t = (time_t)draw() >> draw() % (8 * sizeof(time_t));
        struct tm a, b;
        memset(&a, 0, sizeof a); memset(&b, 0, sizeof b);
        snprintf(detail, sizeof detail, "%lld", (long long)t);
        errno = model_errno = 0;
        int fails = !gmtime_r(&t, &a);
        SAME("gmtime_r", fails, !model_gmtime_r(&t, &b));
        SAME("gmtime_r (errno)", errno, model_errno);
        if (!fails && !same_tm(&a, &b)) report("gmtime_r", detail);
        if (!fails && strcmp(b.tm_zone, a.tm_zone)) report("gmtime_r", "the zone");
        if (!fails && !same_tm(&a, model_gmtime(&t))) report("gmtime", detail);
        if (!fails && a.tm_year >= -899 && a.tm_year <= 8098) {
            size_t size = draw() % 40;
            format[1] = "aAbBcCdDeFgGhHIjklmMnpPrRStTuUVwWxXyY%"[draw() % 38];
            memset(p, '#', sizeof p); memset(q, '#', sizeof q);
            size_t length = strftime(p, size, format, &a);
            snprintf(detail, sizeof detail, "%s of %lld in %zu", format, (long long)t, size);
            SAME("strftime", length, model_strftime(q, size, format, &b));
            if (length && strcmp(p, q)) report("strftime", detail);
        }
        a.tm_sec = draw_field(60); a.tm_min = draw_field(59); a.tm_hour = draw_field(23);
        a.tm_mday = draw_field(31); a.tm_mon = draw_field(11); a.tm_year = draw_field(200);
        a.tm_wday = draw_field(6);
        a.tm_isdst = 1;
        a.tm_gmtoff = 0;
        b = a;
        snprintf(detail, sizeof detail, "%d-%d-%d %d:%d:%d", a.tm_year, a.tm_mon, a.tm_mday,
                 a.tm_hour, a.tm_min, a.tm_sec);
        memset(p, '#', sizeof p); memset(q, '#', sizeof q);
        errno = model_errno = 0;
        SAME("asctime_r", !asctime_r(&a, p), !model_asctime_r(&a, q));
        SAME("asctime_r (errno)", errno, model_errno);
        SAME_BYTES("asctime_r");
        char *x = asctime(&a), *y = model_asctime(&a);
        if (!x != !y || (x && strcmp(x, y))) report("asctime", detail);
        errno = model_errno = 0;
        t = timegm(&a);
        SAME("timegm", t, model_timegm(&b));
        SAME("timegm (errno)", errno, model_errno);
        if (t != -1 && !same_tm(&a, &b)) report("timegm (fields)", detail);
        const char *read = reads[draw() % (sizeof reads / sizeof *reads)];
        t = (unsigned)draw();
        gmtime_r(&t, &a);
        strftime(p, sizeof p, read, &a);
        if (draw() % 2) p[draw() % 10] = "0159 -/:aP"[draw() % 10];
        memset(&a, 0, sizeof a);
        a.tm_mday = draw() % 28; a.tm_mon = draw() % 14 - 1; a.tm_year = draw() % 200;
        b = a;
        snprintf(detail, sizeof detail, "\"%s\" by %s", p, read);
        const char *end = strptime(p, read, &a);
        if (a.tm_year == -1900) continue; /* the year 0 is unsupported */
        SAME("strptime", end, model_strptime(p, read, &b));
        if (end && !same_tm(&a, &b)) report("strptime (fields)", detail);
    }
}
