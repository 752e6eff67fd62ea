// <time.h>: calendar time without time zones, in the "C" locale. time_t is long in both data models.

//: __ravelin_days
// The days from 1970-01-01 to the first day of a month of the Gregorian calendar. Months count from
// 0 and may be any number.
long long __ravelin_days(long long year, long long month) {
    long long era;
    long long of_era;
    year += month / 12;
    month %= 12;
    if (month < 0) {
        month += 12;
        year--;
    }
    /* Years begin with March, so that leap days come last. */
    if (month < 2) year--;
    month = month < 2 ? month + 10 : month - 2;
    era = year / 400;
    of_era = year % 400;
    if (of_era < 0) {
        of_era += 400;
        era--;
    }
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * month + 2) / 5 - 719468;
}

//: gmtime_r
int *__errno_location(void);
struct __ravelin_tm {
    int second;
    int minute;
    int hour;
    int day;
    int month;
    int year;
    int weekday;
    int yearday;
    int daylight;
    long offset;
    const char *zone;
};
void *gmtime_r(const long *time, void *to) {
    struct __ravelin_tm *result = to;
    long days = *time / 86400;
    int rest = (int)(*time % 86400);
    long era;
    int of_era;
    int year_of_era;
    int of_year;
    int month;
    long year;
    if (rest < 0) {
        rest += 86400;
        days--;
    }
    result->weekday = (int)((days % 7 + 11) % 7);
    /* Years begin with March, and eras have 400 of them. */
    days += 719468;
    era = days / 146097;
    of_era = (int)(days % 146097);
    if (of_era < 0) {
        of_era += 146097;
        era--;
    }
    year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    month = (5 * of_year + 2) / 153;
    year = era * 400 + year_of_era + (month >= 10) - 1900;
    if (year != (int)year) {
        *__errno_location() = 75; /* EOVERFLOW */
        return 0;
    }
    result->second = rest % 60;
    result->minute = rest / 60 % 60;
    result->hour = rest / 3600;
    result->day = of_year - (153 * month + 2) / 5 + 1;
    result->month = month < 10 ? month + 2 : month - 10;
    result->year = (int)year;
    if (month >= 10) {
        result->yearday = of_year - 306;
    } else {
        int leap = (year_of_era % 4 == 0 && year_of_era % 100 != 0) || year_of_era == 0;
        result->yearday = of_year + 59 + leap;
    }
    result->daylight = 0;
    result->offset = 0;
    result->zone = "GMT";
    return result;
}

//: gmtime
//= gmtime_r -> localtime_r, __ravelin_tm_of_gmtime -> __ravelin_tm_of_localtime, gmtime -> localtime
// A struct tm has nine ints, a long and a pointer.
void *gmtime_r(const long *time, void *result);
static long __ravelin_tm_of_gmtime[11];
void *gmtime(const long *time) {
    return gmtime_r(time, __ravelin_tm_of_gmtime);
}

//: timegm
long long __ravelin_days(long long year, long long month);
int *__errno_location(void);
void *gmtime_r(const long *time, void *result);
struct __ravelin_tm_to_count {
    int second;
    int minute;
    int hour;
    int day;
    int month;
    int year;
    int weekday;
    int yearday;
    int daylight;
    long offset;
    const char *zone;
};
long timegm(struct __ravelin_tm_to_count *tm) {
    long long days = __ravelin_days(tm->year + 1900ll, tm->month) + tm->day - 1;
    long long seconds = (days * 24 + tm->hour) * 3600 + tm->minute * 60ll + tm->second;
    struct __ravelin_tm_to_count found;
    long result = (long)seconds;
    tm->daylight = 0;
    if (result != seconds) {
        *__errno_location() = 75; /* EOVERFLOW */
        return -1;
    }
    if (gmtime_r(&result, &found) == 0) return -1;
    *tm = found;
    return result;
}

//: asctime_r
int *__errno_location(void);
int snprintf(char *text, unsigned long size, const char *format, ...);
char *asctime_r(const int *tm, char *text) {
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *day = tm[6] < 0 || tm[6] > 6 ? "???" : days + 3 * tm[6];
    const char *month = tm[4] < 0 || tm[4] > 11 ? "???" : months + 3 * tm[4];
    int length;
    if (tm[5] > 0x7fffffff - 1900) {
        *__errno_location() = 75; /* EOVERFLOW */
        return 0;
    }
    length = snprintf(text, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month, tm[3], tm[2], tm[1],
                      tm[0], 1900 + tm[5]);
    if (length >= 26) {
        *__errno_location() = 75; /* EOVERFLOW */
        return 0;
    }
    return text;
}

//: asctime
// Years and other numbers of any length fit in glibc's buffer.
int *__errno_location(void);
int snprintf(char *text, unsigned long size, const char *format, ...);
char *asctime(const int *tm) {
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    static char text[114];
    const char *day = tm[6] < 0 || tm[6] > 6 ? "???" : days + 3 * tm[6];
    const char *month = tm[4] < 0 || tm[4] > 11 ? "???" : months + 3 * tm[4];
    if (tm[5] > 0x7fffffff - 1900) {
        *__errno_location() = 75; /* EOVERFLOW */
        return 0;
    }
    snprintf(text, sizeof(text), "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month, tm[3], tm[2], tm[1],
             tm[0], 1900 + tm[5]);
    return text;
}

//: strftime
// Where a member is out of its range, C leaves the text open (7.27.3.5p4).
long long __ravelin_days(long long year, long long month);
void __ravelin_unsupported(const char *why);
struct __ravelin_tm_to_print {
    int second;
    int minute;
    int hour;
    int day;
    int month;
    int year;
    int weekday;
    int yearday;
    int daylight;
    long offset;
    const char *zone;
};
struct __ravelin_page {
    char *text;
    unsigned long size;
    unsigned long length;
};
static void __ravelin_page_put(struct __ravelin_page *page, char c) {
    if (page->length < page->size) page->text[page->length] = c;
    page->length++;
}
static void __ravelin_page_text(struct __ravelin_page *page, const char *s) {
    for (; *s != 0; s++) __ravelin_page_put(page, *s);
}
static void __ravelin_page_number(struct __ravelin_page *page, int number, int digits, char fill) {
    int unit = digits == 4 ? 1000 : digits == 3 ? 100 : digits == 2 ? 10 : 1;
    for (; unit > 1 && number < unit; unit /= 10) __ravelin_page_put(page, fill);
    for (; unit > 0; unit /= 10) __ravelin_page_put(page, (char)('0' + number / unit % 10));
}
static const char *__ravelin_weekday_name(int day) {
    switch (day) {
    case 0: return "Sunday";
    case 1: return "Monday";
    case 2: return "Tuesday";
    case 3: return "Wednesday";
    case 4: return "Thursday";
    case 5: return "Friday";
    default: return "Saturday";
    }
}
static const char *__ravelin_month_name(int month) {
    switch (month) {
    case 0: return "January";
    case 1: return "February";
    case 2: return "March";
    case 3: return "April";
    case 4: return "May";
    case 5: return "June";
    case 6: return "July";
    case 7: return "August";
    case 8: return "September";
    case 9: return "October";
    case 10: return "November";
    default: return "December";
    }
}
static void __ravelin_page_short(struct __ravelin_page *page, const char *name) {
    int i;
    for (i = 0; i < 3; i++) __ravelin_page_put(page, name[i]);
}
/* The days since Monday of the first week of the ISO year that begins about day 0 of this year. */
static int __ravelin_iso_days(int yearday, int weekday) {
    int thursday = yearday - (weekday + 6) % 7 + 3;
    return thursday / 7 * 7 + (weekday + 6) % 7;
}
static int __ravelin_year_days(long long year) {
    return (int)(__ravelin_days(year + 1, 0) - __ravelin_days(year, 0));
}
static void __ravelin_page_week(struct __ravelin_page *page, const struct __ravelin_tm_to_print *tm,
                                char conversion) {
    int year = tm->year + 1900;
    int yearday = tm->yearday;
    /* The Thursday of a week is in the year that the week belongs to. */
    int thursday = yearday - (tm->weekday + 6) % 7 + 3;
    if (thursday < 0) {
        year--;
        yearday += __ravelin_year_days(year);
    } else if (thursday >= __ravelin_year_days(year)) {
        yearday -= __ravelin_year_days(year);
        year++;
    }
    if (conversion == 'G') {
        __ravelin_page_number(page, year, 4, '0');
    } else if (conversion == 'g') {
        __ravelin_page_number(page, year % 100, 2, '0');
    } else {
        int days = __ravelin_iso_days(yearday < 0 ? 0 : yearday, tm->weekday);
        __ravelin_page_number(page, yearday < 0 ? 1 : days / 7 + 1, 2, '0');
    }
}
unsigned long strftime(char *text, unsigned long size, const char *format,
                       const struct __ravelin_tm_to_print *tm) {
    struct __ravelin_page page;
    const char *rest = 0; /* what follows a conversion that stands for several */
    page.text = text;
    page.size = size;
    page.length = 0;
    if (tm->second < 0 || tm->second > 60 || tm->minute < 0 || tm->minute > 59 || tm->hour < 0
        || tm->hour > 23 || tm->day < 1 || tm->day > 31 || tm->month < 0 || tm->month > 11
        || tm->weekday < 0 || tm->weekday > 6 || tm->yearday < 0 || tm->yearday > 365
        || tm->year < -899 || tm->year > 8098) {
        __ravelin_unsupported("strftime of a time that is out of its range");
    }
    for (;; format++) {
        int hour = tm->hour % 12 == 0 ? 12 : tm->hour % 12;
        if (*format == 0) {
            if (rest == 0) break;
            format = rest;
            rest = 0;
            continue;
        }
        if (*format != '%') {
            __ravelin_page_put(&page, *format);
            continue;
        }
        format++;
        /* The "C" locale has no alternative forms. */
        if (*format == 'E' || *format == 'O') format++;
        switch (*format) {
        case 'c': rest = format; format = " %a %b %e %H:%M:%S %Y"; break;
        case 'D': case 'x': rest = format; format = " %m/%d/%y"; break;
        case 'F': rest = format; format = " %Y-%m-%d"; break;
        case 'r': rest = format; format = " %I:%M:%S %p"; break;
        case 'R': rest = format; format = " %H:%M"; break;
        case 'T': case 'X': rest = format; format = " %H:%M:%S"; break;
        case 'a': __ravelin_page_short(&page, __ravelin_weekday_name(tm->weekday)); break;
        case 'A': __ravelin_page_text(&page, __ravelin_weekday_name(tm->weekday)); break;
        case 'b': case 'h': __ravelin_page_short(&page, __ravelin_month_name(tm->month)); break;
        case 'B': __ravelin_page_text(&page, __ravelin_month_name(tm->month)); break;
        case 'C': __ravelin_page_number(&page, (tm->year + 1900) / 100, 2, '0'); break;
        case 'd': __ravelin_page_number(&page, tm->day, 2, '0'); break;
        case 'e': __ravelin_page_number(&page, tm->day, 2, ' '); break;
        case 'H': __ravelin_page_number(&page, tm->hour, 2, '0'); break;
        case 'I': __ravelin_page_number(&page, hour, 2, '0'); break;
        case 'j': __ravelin_page_number(&page, tm->yearday + 1, 3, '0'); break;
        case 'k': __ravelin_page_number(&page, tm->hour, 2, ' '); break;
        case 'l': __ravelin_page_number(&page, hour, 2, ' '); break;
        case 'm': __ravelin_page_number(&page, tm->month + 1, 2, '0'); break;
        case 'M': __ravelin_page_number(&page, tm->minute, 2, '0'); break;
        case 'n': __ravelin_page_put(&page, '\n'); break;
        case 'p': __ravelin_page_text(&page, tm->hour < 12 ? "AM" : "PM"); break;
        case 'P': __ravelin_page_text(&page, tm->hour < 12 ? "am" : "pm"); break;
        case 'S': __ravelin_page_number(&page, tm->second, 2, '0'); break;
        case 't': __ravelin_page_put(&page, '\t'); break;
        case 'u': __ravelin_page_number(&page, (tm->weekday + 6) % 7 + 1, 1, '0'); break;
        case 'U': __ravelin_page_number(&page, (tm->yearday - tm->weekday + 7) / 7, 2, '0'); break;
        case 'w': __ravelin_page_number(&page, tm->weekday, 1, '0'); break;
        case 'W':
            __ravelin_page_number(&page, (tm->yearday - (tm->weekday + 6) % 7 + 7) / 7, 2, '0');
            break;
        case 'y': __ravelin_page_number(&page, (tm->year + 1900) % 100, 2, '0'); break;
        case 'Y': __ravelin_page_number(&page, tm->year + 1900, 4, '0'); break;
        case 'G': case 'g': case 'V': __ravelin_page_week(&page, tm, *format); break;
        case '%': __ravelin_page_put(&page, '%'); break;
        default: __ravelin_unsupported("a conversion of strftime");
        }
    }
    if (page.length >= size) return 0;
    text[page.length] = 0;
    return page.length;
}

//: strptime
// As glibc: of a date, the day of the week and of the year are computed.
long long __ravelin_days(long long year, long long month);
void __ravelin_unsupported(const char *why);
struct __ravelin_tm_to_read {
    int second;
    int minute;
    int hour;
    int day;
    int month;
    int year;
    int weekday;
    int yearday;
    int daylight;
    long offset;
    const char *zone;
};
/* Reads a number of so many digits in a range, or gives -1. */
static int __ravelin_read_field(const char **s, int least, int most, int digits) {
    int value = 0;
    while (**s == ' ') ++*s;
    if (**s < '0' || **s > '9') return -1;
    do {
        value = value * 10 + (**s - '0');
        ++*s;
        digits--;
    } while (digits > 0 && value * 10 <= most && **s >= '0' && **s <= '9');
    return value < least || value > most ? -1 : value;
}
/* Which of some names, of which three letters suffice, comes next, or -1. */
static int __ravelin_read_name(const char **s, const char *names, int count) {
    int which;
    for (which = 0; which < count; which++) {
        const char *name = names;
        int matched = 0;
        while (name[matched] != ' ' && ((*s)[matched] | 32) == (name[matched] | 32)
               && (*s)[matched] != 0) matched++;
        if (name[matched] != ' ' && matched >= 3) matched = 3;
        if (name[matched] == ' ' || matched == 3) {
            *s += matched;
            return which;
        }
        while (*names != ' ') names++;
        names++;
    }
    return -1;
}
char *strptime(const char *s, const char *format, struct __ravelin_tm_to_read *tm) {
    const char *rest = 0; /* what follows a conversion that stands for several */
    int value;
    int is_afternoon = 0;
    int twelve = 0;
    int dated = 0;
    int has_weekday = 0;
    int has_yearday = 0;
    int has_month = 0;
    int has_day = 0;
    for (;; format++) {
        if (*format == 0) {
            if (rest == 0) break;
            format = rest;
            rest = 0;
            continue;
        }
        if (*format == ' ' || (*format >= '\t' && *format <= '\r')) {
            while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
            continue;
        }
        if (*format != '%') {
            if (*s != *format) return 0;
            s++;
            continue;
        }
        format++;
        value = 0;
        switch (*format) {
        case '%':
            if (*s != '%') return 0;
            s++;
            break;
        case 'n': case 't':
            while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
            break;
        case 'D': case 'x': rest = format; format = " %m/%d/%y"; break;
        case 'F': rest = format; format = " %Y-%m-%d"; break;
        case 'r': rest = format; format = " %I:%M:%S %p"; break;
        case 'R': rest = format; format = " %H:%M"; break;
        case 'T': case 'X': rest = format; format = " %H:%M:%S"; break;
        case 'a': case 'A':
            value = __ravelin_read_name(
                &s, "Sunday Monday Tuesday Wednesday Thursday Friday Saturday ", 7);
            tm->weekday = value < 0 ? tm->weekday : value;
            has_weekday = 1;
            break;
        case 'b': case 'B': case 'h':
            value = __ravelin_read_name(&s, "January February March April May June July August "
                                            "September October November December ", 12);
            tm->month = value < 0 ? tm->month : value;
            has_month = dated = 1;
            break;
        case 'd': case 'e':
            value = __ravelin_read_field(&s, 1, 31, 2);
            tm->day = value < 0 ? tm->day : value;
            has_day = dated = 1;
            break;
        case 'H': case 'k':
            value = __ravelin_read_field(&s, 0, 23, 2);
            tm->hour = value < 0 ? tm->hour : value;
            twelve = 0;
            break;
        case 'I': case 'l':
            value = __ravelin_read_field(&s, 1, 12, 2);
            tm->hour = value < 0 ? tm->hour : value % 12;
            twelve = 1;
            break;
        case 'j':
            value = __ravelin_read_field(&s, 1, 366, 3);
            tm->yearday = value < 0 ? tm->yearday : value - 1;
            has_yearday = 1;
            break;
        case 'm':
            value = __ravelin_read_field(&s, 1, 12, 2);
            tm->month = value < 0 ? tm->month : value - 1;
            has_month = dated = 1;
            break;
        case 'M':
            value = __ravelin_read_field(&s, 0, 59, 2);
            tm->minute = value < 0 ? tm->minute : value;
            break;
        case 'p':
            value = (s[1] | 32) != 'm' ? -1 : (*s | 32) == 'a' ? 0 : (*s | 32) == 'p' ? 1 : -1;
            if (value >= 0) s += 2;
            is_afternoon = value;
            break;
        case 'S':
            value = __ravelin_read_field(&s, 0, 61, 2);
            tm->second = value < 0 ? tm->second : value;
            break;
        case 'u':
            value = __ravelin_read_field(&s, 1, 7, 1);
            tm->weekday = value < 0 ? tm->weekday : value % 7;
            has_weekday = 1;
            break;
        case 'w':
            value = __ravelin_read_field(&s, 0, 6, 1);
            tm->weekday = value < 0 ? tm->weekday : value;
            has_weekday = 1;
            break;
        case 'y':
            value = __ravelin_read_field(&s, 0, 99, 2);
            tm->year = value < 0 ? tm->year : value >= 69 ? value : value + 100;
            dated = 1;
            break;
        case 'Y':
            value = __ravelin_read_field(&s, 0, 9999, 4);
            tm->year = value < 0 ? tm->year : value - 1900;
            dated = 1;
            break;
        default: __ravelin_unsupported("a conversion of strptime");
        }
        if (value < 0) return 0;
    }
    if (twelve && is_afternoon) tm->hour += 12;
    if (dated && tm->year == -1900) __ravelin_unsupported("strptime of the year 0");
    if (dated && !has_weekday) {
        long long year = tm->year + 1900ll;
        if (!(has_month && has_day) && has_yearday) {
            long long day = __ravelin_days(year, 0) + tm->yearday;
            int month = 0;
            while (month < 11 && __ravelin_days(year, month + 1) <= day) month++;
            if (!has_month) tm->month = month;
            if (!has_day) tm->day = (int)(day - __ravelin_days(year, month)) + 1;
            has_month = 1;
        }
        if (has_month || (tm->month >= 0 && tm->month <= 11)) {
            long long day = __ravelin_days(year, tm->month) + tm->day - 1;
            tm->weekday = (int)((day % 7 + 11) % 7);
        }
    }
    if (dated && !has_yearday && (has_month || (tm->month >= 0 && tm->month <= 11))) {
        long long year = tm->year + 1900ll;
        tm->yearday = (int)(__ravelin_days(year, tm->month) - __ravelin_days(year, 0)) + tm->day - 1;
    }
    return (char *)s;
}

//: localtime_r
// Which zone it is, and when its clocks go forward, is not known: the fields are any in their ranges.
int __ravelin_time_zone(void);
void __ravelin_assume(_Bool condition);
int *__errno_location(void);
struct __ravelin_local_tm {
    int second;
    int minute;
    int hour;
    int day;
    int month;
    int year;
    int weekday;
    int yearday;
    int daylight;
    long offset;
    const char *zone;
};
static int __ravelin_field(int min, int max) {
    int value = __ravelin_time_zone();
    __ravelin_assume(min <= value && value <= max);
    return value;
}
// Names of zones have up to 15 characters.
static int __ravelin_zone_name[4];
void *localtime_r(const long *time, void *to) {
    struct __ravelin_local_tm *result = to;
    long long year = *time / 31556952 + 70;
    /* Far from the ends of int, the year is near that of a mean length. */
    if (year < -2147483000 || year > 2147483000) {
        if (__ravelin_time_zone()) {
            *__errno_location() = 75; /* EOVERFLOW */
            return 0;
        }
        result->year = __ravelin_time_zone();
    } else {
        result->year = __ravelin_field((int)year - 2, (int)year + 2);
    }
    result->second = __ravelin_field(0, 60);
    result->minute = __ravelin_field(0, 59);
    result->hour = __ravelin_field(0, 23);
    result->day = __ravelin_field(1, 31);
    result->month = __ravelin_field(0, 11);
    result->weekday = __ravelin_field(0, 6);
    result->yearday = __ravelin_field(0, 365);
    result->daylight = __ravelin_field(-1, 1);
    result->offset = __ravelin_field(-86400, 86400);
    __ravelin_zone_name[0] = __ravelin_time_zone();
    __ravelin_zone_name[1] = __ravelin_time_zone();
    __ravelin_zone_name[2] = __ravelin_time_zone();
    __ravelin_zone_name[3] = __ravelin_field(0, 0xffffff);
    result->zone = (const char *)__ravelin_zone_name;
    return to;
}

//: ctime
void *localtime(const long *time);
char *asctime(const int *tm);
char *ctime(const long *time) {
    void *tm = localtime(time);
    return tm ? asctime(tm) : 0;
}

//: ctime_r
void *localtime_r(const long *time, void *result);
char *asctime_r(const int *tm, char *text);
char *ctime_r(const long *time, char *text) {
    long tm[11];
    return localtime_r(time, tm) ? asctime_r((const int *)tm, text) : 0;
}

//: mktime timelocal
int __ravelin_time_zone(void);
void __ravelin_assume(_Bool condition);
void __ravelin_unsupported(const char *what);
struct __ravelin_tm_to_count;
long timegm(struct __ravelin_tm_to_count *tm);
void *localtime_r(const long *time, void *result);
long mktime(void *tm) {
    long copy[11];
    long time;
    int offset = __ravelin_time_zone();
    __builtin_memcpy(copy, tm, 9 * sizeof(int));
    time = timegm((struct __ravelin_tm_to_count *)copy);
    __ravelin_assume(-86400 < offset && offset < 86400);
    /* What cannot be told is -1, which also is a time. */
    if (time == -1 || __builtin_sub_overflow(time, (long)offset, &time)) __ravelin_unsupported("local time");
    return localtime_r(&time, tm) ? time : -1;
}
long timelocal(void *tm) {
    return mktime(tm);
}
