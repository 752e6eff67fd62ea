// Floats from strings, bit by bit.

MODEL(strtod); MODEL(strtof); MODEL(strtold); MODEL(atof);

#define DECIMAL(f, type, size) do { \
        char *end = 0, *model_end = 0; \
        errno = model_errno = 0; \
        type x = f(s, &end), y = model_##f(s, &model_end); \
        if (memcmp(&x, &y, size)) report(#f, detail); \
        SAME(#f " (end)", end, model_end); \
        SAME(#f " (errno)", errno, model_errno); \
    } while (0)

static void same_decimal(const char *s) {
    char detail[80];
    snprintf(detail, sizeof detail, "\"%.60s\"", s);
    DECIMAL(strtod, double, 8);
    DECIMAL(strtof, float, 4);
    if (strlen(s) < 800) DECIMAL(strtold, long double, 10);
}

static void decimals(void) {
    static const char *const special[] = {
        "0", "-0", "inf", "-INF", "infinity", "infinit", "nan", "-nan", "nan()", "0x", "0x.",
        "0x.8p", "1e", "1e+", "e5", ".", "-.5e1", "2.2250738585072011e-308",
        "2.2250738585072014e-308", "2.2250738585072012e-308", "2.22507385850720138e-308",
        "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
        "1.7976931348623157e308", "1.7976931348623159e308", "1.17549431e-38", "1.1754943508e-38",
        "0x1.fffffffffffff8p1023", "0x1.fffffffffffff7p1023", "0x0.fffffffffffff8p-1022",
        "0x0.fffffffffffffcp-1022", "0x0.fffffffffffffbp-1022", "1e400", "1e-400", "1e5000",
        "1e-5000", "0x1p-1074", "0x1p-1075", "0x1.8p-1075", "9007199254740993",
        "9007199254740993.00000000000000000000000000000000000000000000001", "0x1p99999999999",
        "1e-99999999999", "0e99999999", "123456789012345678901234567890",
        "3.6451995318824746025284059336194e-4951", "1.8225997659412373012642029668097e-4951",
        "1.18973149535723176502126385303e4932",
    };
    char s[1600];
    for (unsigned i = 0; i < sizeof special / sizeof *special; i++) same_decimal(special[i]);
    for (int round = 0; round < 30000; round++) {
        union { uint64_t bits; double value; } u, next;
        union { uint32_t bits; float value; } v;
        u.bits = draw();
        v.bits = draw();
        unsigned long long x = draw() >> draw() % 64, y = draw() >> draw() % 64;
        switch (draw() % 6) {
        case 0: sprintf(s, "%.*e", (int)(draw() % 25), u.value); break;
        case 1: sprintf(s, "%.*e", (int)(draw() % 12), v.value); break;
        case 2: sprintf(s, "%a", u.value); break;
        case 3: sprintf(s, "%llu.%llue%d", x, y, (int)(draw() % 700) - 350); break;
        case 4: sprintf(s, "0x%llx.%llxp%d", x, y, (int)(draw() % 2400) - 1200); break;
        default:
            if (round % 20) {
                int length = draw() % 7;
                for (int i = 0; i < length; i++) s[i] = "0019.e-+xpPEinfa "[draw() % 17];
                s[length] = 0;
            } else { /* half way between two doubles, and next to it */
                u.bits &= 0x7fffffffffffffff;
                next.bits = u.bits + 1;
                sprintf(s, "%.1100Lf", ((long double)u.value + next.value) / 2);
                if (draw() % 2) s[strlen(s) - 1] = '1';
            }
        }
        same_decimal(s);
    }
    if (atof("2.5x") != model_atof("2.5x")) report("atof", "2.5");
}
