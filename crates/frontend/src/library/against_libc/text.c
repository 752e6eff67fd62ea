// Functions of POSIX and GNU on text, numbers of 48 bits, and the environment.

#include <libgen.h>
#undef basename
#include <locale.h>
#include <unistd.h>

extern char *gnu_basename(const char *) __asm__("basename");
extern char *model_basename(const char *);
MODEL(strcasestr); MODEL(strverscmp); MODEL(strxfrm); MODEL(__xpg_basename); MODEL(dirname);
MODEL(swab); MODEL(strtoimax); MODEL(strtoumax); MODEL(imaxdiv); MODEL(a64l); MODEL(l64a);
MODEL(getsubopt); MODEL(drand48); MODEL(erand48); MODEL(lrand48); MODEL(nrand48); MODEL(mrand48);
MODEL(jrand48); MODEL(srand48); MODEL(seed48); MODEL(lcong48); MODEL(setlocale); MODEL(localeconv);
MODEL(getenv); MODEL(setenv); MODEL(unsetenv); MODEL(putenv); MODEL(clearenv); MODEL(asprintf);
MODEL(getdelim); MODEL(mkstemp); MODEL(getcwd); MODEL(getchar);
MODEL(strtol);

void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}

static void draw_from(char *s, int max, const char *alphabet) {
    int length = (int)(draw() % (unsigned)(max + 1));
    for (int i = 0; i < length; i++) s[i] = alphabet[draw() % strlen(alphabet)];
    s[length] = 0;
}

#define PATH(f) do { \
        draw_from(a, 7, "ab//."); \
        snprintf(detail, sizeof detail, "\"%s\"", a); \
        REFILL(); \
        char *x = f(p), *y = model_##f(q); \
        if (strcmp(x, y)) report(#f, detail); \
        SAME_BYTES(#f); \
    } while (0)

static void more_text(void) {
    char a[32], b[32], p[64], q[64], detail[160];
    static char *const tokens[] = {"ro", "rw", "name", 0};
    for (int round = 0; round < 30000; round++) {
        draw_from(a, 8, "0019aAb.");
        draw_from(b, round % 2 ? 8 : 3, "0019aAb.");
        if (draw() % 2) memcpy(b, a, strlen(a) / 2 < strlen(b) ? strlen(a) / 2 : strlen(b));
        size_t n = draw() % 11;
        snprintf(detail, sizeof detail, "\"%s\", \"%s\", n = %zu", a, b, n);
        SAME("strcasestr", strcasestr(a, b), model_strcasestr(a, b));
        SAME("strverscmp", sign(strverscmp(a, b)), sign(model_strverscmp(a, b)));
        REFILL();
        SAME("strxfrm", strxfrm(p, b, n), model_strxfrm(q, b, n));
        if (strlen(b) < n) SAME_BYTES("strxfrm");
        REFILL(); swab(a, p, (long)n - 1); model_swab(a, q, (long)n - 1); SAME_BYTES("swab");
        char *s = a;
        CONVERSION(strtoimax, 0); CONVERSION(strtoumax, 16);
        draw_from(a, 8, "./09AZaz-");
        if (sizeof(long) == 4 || a64l(a) >> 31 == 0) SAME("a64l", a64l(a), model_a64l(a));
        long number = (long)draw() >> draw() % 32;
        if (strcmp(l64a(number), model_l64a(number))) report("l64a", detail);
        long long divisor = (long long)(draw() >> draw() % 63) + 1, divided = draw();
        SAME("imaxdiv", imaxdiv(divided, divisor).quot, model_imaxdiv(divided, divisor).quot);
        SAME("imaxdiv", imaxdiv(divided, divisor).rem, model_imaxdiv(divided, divisor).rem);
        PATH(__xpg_basename); PATH(dirname);
        if (strcmp(gnu_basename(a), model_basename(a))) report("basename", detail);

        static const char *const words[] = {"ro", "rw", "name", "name=", "name=x,", ",", "other", "=", "r"};
        a[0] = 0;
        for (int i = 0; i < 4; i++) strcat(a, words[draw() % 9]), strcat(a, draw() % 4 ? "," : "");
        snprintf(detail, sizeof detail, "\"%s\"", a);
        REFILL();
        char *rest = p, *model_rest = q, *value = 0, *model_value = 0;
        while (*rest && rest - p == model_rest - q) {
            SAME("getsubopt", getsubopt(&rest, tokens, &value),
                 model_getsubopt(&model_rest, tokens, &model_value));
            SAME("getsubopt (value)", offset(p, value), offset(q, model_value));
        }
        SAME("getsubopt (rest)", rest - p, model_rest - q);
        SAME_BYTES("getsubopt");

        char *printed = 0;
        SAME("asprintf", snprintf(p, sizeof p, "%s-%ld", b, number),
             model_asprintf(&printed, "%s-%ld", b, number));
        if (strcmp(p, printed)) report("asprintf", detail);
        free(printed);
    }
}

static void numbers_of_48_bits(void) {
    const char *detail = "some state";
    for (int round = 0; round < 20000; round++) {
        unsigned short x[7], y[7];
        for (int i = 0; i < 7; i++) x[i] = y[i] = draw();
        SAME("drand48", drand48(), model_drand48());
        SAME("lrand48", lrand48(), model_lrand48());
        SAME("mrand48", mrand48(), model_mrand48());
        SAME("erand48", erand48(x), model_erand48(y));
        SAME("nrand48", nrand48(x), model_nrand48(y));
        SAME("jrand48", jrand48(x), model_jrand48(y));
        if (memcmp(x, y, sizeof x)) report("erand48", "its state");
        long seed = draw();
        if (round % 8 == 0) srand48(seed), model_srand48(seed);
        if (round % 8 == 3 && memcmp(seed48(x), model_seed48(y), 6)) report("seed48", detail);
        if (round % 8 == 5) lcong48(x), model_lcong48(y);
    }
}

static void environment(void) {
    static const char *const names[] = {"A", "AB", "B", "", "A=", "C"};
    static char put[4][8] = {"A=put", "B=", "AB", "=x"};
    char detail[80];
    clearenv();
    model_clearenv();
    for (int round = 0; round < 10000; round++) {
        const char *name = names[draw() % 6];
        int overwrite = draw() % 2;
        snprintf(detail, sizeof detail, "\"%s\"", name);
        errno = model_errno = 0;
        switch (draw() % 6) {
        case 0:
            SAME("setenv", setenv(name, "text", overwrite), model_setenv(name, "text", overwrite));
            break;
        case 1: SAME("setenv", setenv(name, "", 1), model_setenv(name, "", 1)); break;
        case 2: SAME("unsetenv", unsetenv(name), model_unsetenv(name)); break;
        case 3: {
            char *text = put[draw() % 3];
            SAME("putenv", putenv(text), model_putenv(text));
            break;
        }
        default: break;
        }
        SAME("the environment (errno)", errno, model_errno);
        for (int i = 0; i < 6; i++) {
            char *x = getenv(names[i]), *y = model_getenv(names[i]);
            if (!x != !y || (x && strcmp(x, y))) report("getenv", detail);
        }
    }
    SAME("setlocale", !setlocale(LC_ALL, 0), !model_setlocale(LC_ALL, 0));
    SAME("setlocale", !setlocale(LC_ALL, "POSIX"), !model_setlocale(LC_ALL, "POSIX"));
    SAME("setlocale", !setlocale(99, "C"), !model_setlocale(99, "C"));
    SAME("setlocale", !setlocale(LC_CTYPE, "no locale"), !model_setlocale(LC_CTYPE, "no locale"));
    struct lconv *x = localeconv(), *y = model_localeconv();
    if (strcmp(x->decimal_point, y->decimal_point) || *y->grouping || *y->negative_sign
        || memcmp(&x->int_frac_digits, &y->int_frac_digits, 14)) report("localeconv", "the locale");

    char *line = 0, path[12];
    size_t size = 0;
    for (int round = 0; round < 3000; round++) {
        ssize_t length = model_getdelim(&line, &size, ';', 0);
        if (length == 0 || length < -1 || (length > 0 && (size_t)length + 1 > size))
            report("getdelim", "its length");
        if (length > 0 && (line[length] != 0 || memchr(line, ';', length - 1)))
            report("getdelim", "its end");
        if (round % 100 == 0) free(line), line = 0;
        if (model_getcwd(path, sizeof path) && (path[0] != '/' || !memchr(path, 0, sizeof path)))
            report("getcwd", "its text");
        strcpy(path, "abXXXXXX");
        if (model_mkstemp(path) < -1 || memcmp(path, "ab", 2) || !strcmp(path, "abXXXXXX"))
            report("mkstemp", path);
    }
    strcpy(path, "XXXXX");
    if (model_mkstemp(path) != -1 || model_errno != EINVAL) report("mkstemp", "a short name");
}
