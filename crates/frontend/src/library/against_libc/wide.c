// Wide characters, in the "C" locale.

#include <wchar.h>
#include <wctype.h>

MODEL(wcslen); MODEL(wcsnlen); MODEL(wcscpy); MODEL(wcpcpy); MODEL(wcsncpy); MODEL(wcpncpy);
MODEL(wcscat); MODEL(wcsncat); MODEL(wcscmp); MODEL(wcscoll); MODEL(wcsncmp); MODEL(wcscasecmp);
MODEL(wcsncasecmp); MODEL(wcsxfrm); MODEL(wcschr); MODEL(wcschrnul); MODEL(wcsrchr);
MODEL(wcsstr); MODEL(wcsspn); MODEL(wcscspn); MODEL(wcspbrk); MODEL(wcstok); MODEL(wcsdup);
MODEL(wmemcmp); MODEL(wmemchr); MODEL(wmemcpy); MODEL(wmempcpy); MODEL(wmemmove); MODEL(wmemset);
MODEL(wcstol); MODEL(wcstoll); MODEL(wcstoul); MODEL(wcstoull); MODEL(wcstoimax); MODEL(wcstoumax);
MODEL(iswdigit); MODEL(iswxdigit); MODEL(iswupper); MODEL(iswlower); MODEL(iswalpha);
MODEL(iswalnum); MODEL(iswspace); MODEL(iswblank); MODEL(iswprint); MODEL(iswgraph);
MODEL(iswcntrl); MODEL(iswpunct); MODEL(towupper); MODEL(towlower); MODEL(wctype); MODEL(iswctype);
MODEL(wctrans); MODEL(towctrans); MODEL(wcwidth); MODEL(wcswidth); MODEL(btowc); MODEL(wctob);
MODEL(mbrtowc); MODEL(mbrlen); MODEL(mbtowc); MODEL(mblen); MODEL(wcrtomb); MODEL(wctomb);
MODEL(mbstowcs); MODEL(wcstombs); MODEL(mbsrtowcs); MODEL(wcsrtombs); MODEL(mbsinit);

static long wide_offset(wchar_t *base, void *pointer) {
    return pointer ? (wchar_t *)pointer - base : -1;
}

static void draw_wide(wchar_t *s, int max, const wchar_t *alphabet, int letters) {
    int length = (int)(draw() % (unsigned)(max + 1));
    for (int i = 0; i < length; i++) s[i] = alphabet[draw() % (unsigned)letters];
    s[length] = 0;
}

#define WIDE_REFILL() do { \
        wmemset(p, L'#', 32); wcscpy(p, a); wmemcpy(q, p, 32); \
    } while (0)
#define WIDE_SAME(f, ...) do { \
        wchar_t *p0 = p; \
        WIDE_REFILL(); \
        void *x = f(p, __VA_ARGS__), *y = model_##f(q, __VA_ARGS__); \
        SAME(#f, wide_offset(p0, x), wide_offset(q, y)); \
        SAME_BYTES(#f); \
    } while (0)
#define WIDE_NUMBER(f) do { \
        wchar_t *end = 0, *model_end = 0; \
        errno = model_errno = 0; \
        SAME(#f, f(a, &end, base), model_##f(a, &model_end, base)); \
        SAME(#f " (end)", end, model_end); \
        SAME(#f " (errno)", errno, model_errno); \
    } while (0)

static void wide_strings(void) {
    wchar_t a[32], b[16], p[32], q[32];
    char detail[80];
    for (int round = 0; round < 15000; round++) {
        draw_wide(a, 8, L"aab,AB z\x80\xff\xfffffff0", 11);
        draw_wide(b, 5, L"aab,AB z\x80\xff\xfffffff0", 11);
        size_t n = draw() % 11;
        wchar_t c = L"ab,A z\x80\xff"[draw() % 9];
        snprintf(detail, sizeof detail, "round %d, n = %zu, c = %d", round, n, (int)c);
        SAME("wcslen", wcslen(a), model_wcslen(a));
        SAME("wcsnlen", wcsnlen(a, n), model_wcsnlen(a, n));
        SAME("wcscmp", sign(wcscmp(a, b)), sign(model_wcscmp(a, b)));
        SAME("wcsncmp", sign(wcsncmp(a, b, n)), sign(model_wcsncmp(a, b, n)));
        SAME("wcscasecmp", sign(wcscasecmp(a, b)), sign(model_wcscasecmp(a, b)));
        SAME("wcsncasecmp", sign(wcsncasecmp(a, b, n)), sign(model_wcsncasecmp(a, b, n)));
        SAME("wcscoll", sign(wcscoll(a, b)), sign(model_wcscoll(a, b)));
        SAME("wcschr", wcschr(a, c), model_wcschr(a, c));
        SAME("wcschrnul", wcschrnul(a, c), model_wcschrnul(a, c));
        SAME("wcsrchr", wcsrchr(a, c), model_wcsrchr(a, c));
        SAME("wcsstr", wcsstr(a, b), model_wcsstr(a, b));
        SAME("wcsspn", wcsspn(a, b), model_wcsspn(a, b));
        SAME("wcscspn", wcscspn(a, b), model_wcscspn(a, b));
        SAME("wcspbrk", wcspbrk(a, b), model_wcspbrk(a, b));
        SAME("wmemcmp", sign(wmemcmp(a, b, n)), sign(model_wmemcmp(a, b, n)));
        SAME("wmemchr", wmemchr(a, c, n), model_wmemchr(a, c, n));
        SAME("wcswidth", wcswidth(a, n), model_wcswidth(a, n));
        WIDE_SAME(wcscpy, b); WIDE_SAME(wcpcpy, b); WIDE_SAME(wcscat, b);
        WIDE_SAME(wcsncpy, b, n); WIDE_SAME(wcpncpy, b, n); WIDE_SAME(wcsncat, b, n);
        WIDE_SAME(wmemcpy, b, n); WIDE_SAME(wmempcpy, b, n); WIDE_SAME(wmemmove, b, n);
        WIDE_SAME(wmemset, c, n);
        WIDE_REFILL();
        SAME("wcsxfrm", wcsxfrm(p, b, n), model_wcsxfrm(q, b, n));
        if (wcslen(b) < n) SAME_BYTES("wcsxfrm");
        WIDE_REFILL();
        wchar_t *next, *model_next, *x = wcstok(p, b, &next), *y = model_wcstok(q, b, &model_next);
        for (;;) {
            SAME("wcstok", wide_offset(p, x), wide_offset(q, y));
            if (!x || !y) break;
            x = wcstok(0, b, &next);
            y = model_wcstok(0, b, &model_next);
        }
        SAME_BYTES("wcstok");
        x = model_wcsdup(a);
        if (wcscmp(x, a)) report("wcsdup", detail);
        free(x);
        draw_wide(a, 24, L"0011234567899xX-+ afz", 21);
        int base = (int[]){0, 10, 16, 8, 2, 36}[draw() % 6];
        WIDE_NUMBER(wcstol); WIDE_NUMBER(wcstoll); WIDE_NUMBER(wcstoul); WIDE_NUMBER(wcstoull);
        WIDE_NUMBER(wcstoimax); WIDE_NUMBER(wcstoumax);
    }
}

static void wide_characters(void) {
    static const char *const classes[] = {
        "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "xdigit", "", "al",
    };
    char detail[32];
    for (unsigned i = 0; i < 2000; i++) {
        wint_t c = i < 1000 ? i - 10 : (wint_t)draw() >> draw() % 32;
        snprintf(detail, sizeof detail, "%u", c);
#define WIDE_CLASS(f) SAME(#f, !f(c), !model_##f(c))
        WIDE_CLASS(iswdigit); WIDE_CLASS(iswxdigit); WIDE_CLASS(iswupper); WIDE_CLASS(iswlower);
        WIDE_CLASS(iswalpha); WIDE_CLASS(iswalnum); WIDE_CLASS(iswspace); WIDE_CLASS(iswblank);
        WIDE_CLASS(iswprint); WIDE_CLASS(iswgraph); WIDE_CLASS(iswcntrl); WIDE_CLASS(iswpunct);
        SAME("towupper", towupper(c), model_towupper(c));
        SAME("towlower", towlower(c), model_towlower(c));
        SAME("wcwidth", wcwidth(c), model_wcwidth(c));
        SAME("btowc", btowc(c), model_btowc(c));
        SAME("wctob", wctob(c), model_wctob(c));
        for (unsigned j = 0; j < sizeof classes / sizeof *classes; j++) {
            SAME("iswctype", !iswctype(c, wctype(classes[j])),
                 !model_iswctype(c, model_wctype(classes[j])));
        }
        SAME("towctrans", towctrans(c, wctrans("toupper")),
             model_towctrans(c, model_wctrans("toupper")));
        SAME("wctrans", !wctrans("up"), !model_wctrans("up"));
    }
}

static void bytes_and_wide(void) {
    char s[12], detail[32];
    wchar_t p[16], q[16], w[12];
    char x[16], y[16];
    for (int round = 0; round < 10000; round++) {
        int length = draw() % 8;
        for (int i = 0; i < length; i++) s[i] = draw() % 8 ? (char)(1 + draw() % 127) : (char)draw();
        s[length] = 0;
        for (int i = 0; i <= length; i++) w[i] = s[i] == 0 ? 0 : draw() % 8 ? s[i] & 127 : (int)draw();
        size_t n = draw() % 10;
        mbstate_t state = {0}, model_state = {0};
        snprintf(detail, sizeof detail, "round %d, n = %zu", round, n);
#define BOTH(what, a, b) do { \
            memset(p, 7, sizeof p); memset(q, 7, sizeof q); \
            memset(x, 7, sizeof x); memset(y, 7, sizeof y); \
            errno = model_errno = 0; \
            SAME(what, a, b); \
            SAME(what " (errno)", errno, model_errno); \
            SAME_BYTES(what); \
            if (memcmp(x, y, sizeof x)) report(what, detail); \
        } while (0)
        BOTH("mbrtowc", mbrtowc(p, s, n, &state), model_mbrtowc(q, s, n, &model_state));
        memset(&state, 0, sizeof state);
        BOTH("mbrlen", mbrlen(s, n, &state), model_mbrlen(s, n, &model_state));
        memset(&state, 0, sizeof state);
        BOTH("mbtowc", mbtowc(p, s, n), model_mbtowc(q, s, n));
        BOTH("mblen", mblen(s, n), model_mblen(s, n));
        BOTH("wctomb", wctomb(x, w[0]), model_wctomb(y, w[0]));
        BOTH("wcrtomb", wcrtomb(x, w[0], &state), model_wcrtomb(y, w[0], &model_state));
        memset(&state, 0, sizeof state);
        BOTH("mbstowcs", mbstowcs(p, s, n), model_mbstowcs(q, s, n));
        BOTH("mbstowcs", mbstowcs(0, s, n), model_mbstowcs(0, s, n));
        BOTH("wcstombs", wcstombs(x, w, n), model_wcstombs(y, w, n));
        BOTH("wcstombs", wcstombs(0, w, n), model_wcstombs(0, w, n));
        const char *from = s, *model_from = s;
        BOTH("mbsrtowcs", mbsrtowcs(p, &from, n, &state),
             model_mbsrtowcs(q, &model_from, n, &model_state));
        SAME("mbsrtowcs (rest)", from, model_from);
        const wchar_t *wide_from = w, *model_wide_from = w;
        memset(&state, 0, sizeof state);
        BOTH("wcsrtombs", wcsrtombs(x, &wide_from, n, &state),
             model_wcsrtombs(y, &model_wide_from, n, &model_state));
        SAME("wcsrtombs (rest)", wide_from, model_wide_from);
    }
    SAME("mbsinit", !mbsinit(0), !model_mbsinit(0));
}
