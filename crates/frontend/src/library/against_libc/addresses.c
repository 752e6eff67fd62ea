// <arpa/inet.h>.

#include <arpa/inet.h>

MODEL(inet_aton); MODEL(inet_addr); MODEL(inet_network); MODEL(inet_pton); MODEL(inet_ntop);
MODEL(inet_ntoa); MODEL(htonl); MODEL(htons); MODEL(ntohl); MODEL(ntohs);

static void addresses(void) {
    static const int families[] = {AF_INET, AF_INET6, AF_UNIX};
    char s[48], p[48], q[48], detail[120];
    for (int round = 0; round < 100000; round++) {
        const char *alphabet = round % 2 ? "0123456789..xXf a8" : "0123:::abfF::.1.2g";
        unsigned char bytes[16], x[16], y[16];
        int length = draw() % 12;
        for (int i = 0; i < length; i++) s[i] = alphabet[draw() % 18];
        s[length] = 0;
        for (int i = 0; i < 16; i++) bytes[i] = draw() % 3 ? 0 : draw() % 4 ? draw() : 255;
        if (round % 5 == 0) {
            sprintf(s, "%u.%u.%u.%u", (unsigned)(draw() % 270), (unsigned)(draw() % 270),
                    (unsigned)(draw() % 270), (unsigned)(draw() % 270));
        }
        if (round % 7 == 0) inet_ntop(AF_INET6, bytes, s, sizeof s);
        snprintf(detail, sizeof detail, "\"%s\"", s);
        struct in_addr a = {7}, b = {7};
        SAME("inet_aton", inet_aton(s, &a), model_inet_aton(s, &b));
        SAME("inet_aton", a.s_addr, b.s_addr);
        SAME("inet_addr", inet_addr(s), model_inet_addr(s));
        SAME("inet_network", inet_network(s), model_inet_network(s));
        memset(x, 7, sizeof x); memset(y, 7, sizeof y);
        errno = model_errno = 0;
        int family = families[draw() % 3], result = inet_pton(family, s, x);
        SAME("inet_pton", result, model_inet_pton(family, s, y));
        SAME("inet_pton (errno)", errno, model_errno);
        if (result > 0 && memcmp(x, y, sizeof x)) report("inet_pton", detail);
        socklen_t size = draw() % 50;
        memset(p, '#', sizeof p); memset(q, '#', sizeof q);
        if (size > sizeof p) size = sizeof p;
        errno = model_errno = 0;
        SAME("inet_ntop", !inet_ntop(family, bytes, p, size),
             !model_inet_ntop(family, bytes, q, size));
        SAME("inet_ntop (errno)", errno, model_errno);
        if (memcmp(p, q, sizeof p)) report("inet_ntop", p);
        a.s_addr = draw();
        if (strcmp(inet_ntoa(a), model_inet_ntoa(a))) report("inet_ntoa", detail);
        SAME("htonl", htonl(a.s_addr), model_htonl(a.s_addr));
        SAME("ntohl", ntohl(a.s_addr), model_ntohl(a.s_addr));
        SAME("htons", htons(a.s_addr), model_htons(a.s_addr));
        SAME("ntohs", ntohs(a.s_addr), model_ntohs(a.s_addr));
    }
}
