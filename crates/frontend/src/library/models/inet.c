// <arpa/inet.h> and <endian.h>. The machine is little-endian.

//: htonl
//= htonl -> ntohl
unsigned htonl(unsigned x) {
    return __builtin_bswap32(x);
}

//: htons
//= htons -> ntohs
unsigned short htons(unsigned short x) {
    return (unsigned short)(x << 8 | x >> 8);
}

//: inet_aton
// One to four numbers, decimal, octal or hexadecimal, of which the last fills what is left.
static int __ravelin_address_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}
int inet_aton(const char *s, unsigned *address) {
    unsigned result = 0;
    int parts;
    for (parts = 1;; parts++) {
        int base = 10;
        unsigned long long number = 0;
        if (*s < '0' || *s > '9') return 0;
        if (*s == '0') {
            s++;
            base = 8;
            if (*s == 'x' || *s == 'X') {
                s++;
                base = 16;
                if (__ravelin_address_digit(*s) == 16) return 0;
            }
        }
        while (__ravelin_address_digit(*s) < base) {
            number = number * base + __ravelin_address_digit(*s);
            if (number > 0xffffffffu) return 0;
            s++;
        }
        if (*s != '.') {
            if (*s != 0 && *s != ' ' && (*s < '\t' || *s > '\r')) return 0;
            if (number > 0xffffffffu >> (8 * (parts - 1))) return 0;
            result |= (unsigned)number;
            break;
        }
        if (parts == 4 || number > 255) return 0;
        result |= (unsigned)number << (8 * (4 - parts));
        s++;
    }
    if (address != 0) *address = __builtin_bswap32(result);
    return 1;
}

//: inet_addr
int inet_aton(const char *s, unsigned *address);
unsigned inet_addr(const char *s) {
    unsigned address = 0;
    return inet_aton(s, &address) ? address : 0xffffffffu;
}

//: __ravelin_put_address
// Writes four bytes with points between them and returns the end.
char *__ravelin_put_address(char *text, const unsigned char *bytes) {
    int i;
    for (i = 0; i < 4; i++) {
        unsigned byte = bytes[i];
        if (i > 0) *text++ = '.';
        if (byte >= 100) *text++ = (char)('0' + byte / 100);
        if (byte >= 10) *text++ = (char)('0' + byte / 10 % 10);
        *text++ = (char)('0' + byte % 10);
    }
    *text = 0;
    return text;
}

//: inet_ntoa
// glibc keeps the text once for each thread.
char *__ravelin_put_address(char *text, const unsigned char *bytes);
struct __ravelin_in_addr { unsigned address; };
static _Thread_local char __ravelin_address_text[18];
char *inet_ntoa(struct __ravelin_in_addr address) {
    __ravelin_put_address(__ravelin_address_text, (const unsigned char *)&address);
    return __ravelin_address_text;
}

//: inet_ntop
int *__errno_location(void);
char *__ravelin_put_address(char *text, const unsigned char *bytes);
static char __ravelin_hex_digit(unsigned digit) {
    return (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
}
/* RFC 5952: the longest run of at least two zeros is left out. */
static void __ravelin_put_address6(char *text, const unsigned char *bytes) {
    int start = -1;
    int length = 1;
    int i;
    for (i = 0; i < 8; i++) {
        int run = 0;
        while (i + run < 8 && bytes[2 * (i + run)] == 0 && bytes[2 * (i + run) + 1] == 0) run++;
        if (run > length) {
            start = i;
            length = run;
        }
    }
    for (i = 0; i < 8; i++) {
        unsigned group = bytes[2 * i] << 8 | bytes[2 * i + 1];
        if (start >= 0 && i >= start && i < start + length) {
            if (i == start) *text++ = ':';
            continue;
        }
        if (i != 0) *text++ = ':';
        if (i == 6 && start == 0
            && (length == 6 || (length == 5 && bytes[10] == 255 && bytes[11] == 255))) {
            text = __ravelin_put_address(text, bytes + 12);
            return;
        }
        if (group > 0xfff) *text++ = __ravelin_hex_digit(group >> 12);
        if (group > 0xff) *text++ = __ravelin_hex_digit(group >> 8 & 15);
        if (group > 0xf) *text++ = __ravelin_hex_digit(group >> 4 & 15);
        *text++ = __ravelin_hex_digit(group & 15);
    }
    if (start >= 0 && start + length == 8) *text++ = ':';
    *text = 0;
}
const char *inet_ntop(int family, const void *address, char *result, unsigned size) {
    char text[48];
    unsigned i = 0;
    if (family == 2) {
        __ravelin_put_address(text, address);
    } else if (family == 10) {
        __ravelin_put_address6(text, address);
    } else {
        *__errno_location() = 97; /* EAFNOSUPPORT */
        return 0;
    }
    while (text[i] != 0) i++;
    if (i >= size) {
        *__errno_location() = 28; /* ENOSPC */
        return 0;
    }
    for (i = 0; text[i] != 0; i++) result[i] = text[i];
    result[i] = 0;
    return result;
}

//: inet_pton
int *__errno_location(void);
/* Four decimal numbers without leading zeros. */
static int __ravelin_read_address(const char *s, unsigned char *bytes) {
    int i;
    for (i = 0; i < 4; i++) {
        unsigned number = 0;
        if (i > 0) {
            if (*s != '.') return 0;
            s++;
        }
        if (*s < '0' || *s > '9') return 0;
        if (*s == '0' && s[1] >= '0' && s[1] <= '9') return 0;
        for (; *s >= '0' && *s <= '9'; s++) {
            number = number * 10 + (*s - '0');
            if (number > 255) return 0;
        }
        bytes[i] = (unsigned char)number;
    }
    return *s == 0;
}
static int __ravelin_read_address6(const char *s, unsigned char *bytes) {
    int count = 0; /* bytes so far */
    int gap = -1;  /* where :: stands */
    int i;
    if (*s == ':') {
        s++;
        if (*s != ':') return 0;
    }
    while (*s != 0) {
        const char *begin = s;
        unsigned group = 0;
        int digits = 0;
        if (*s == ':') {
            if (gap >= 0) return 0;
            gap = count;
            s++;
            continue;
        }
        for (;; s++) {
            unsigned digit = *s >= '0' && *s <= '9' ? *s - '0'
                : (*s | 32) >= 'a' && (*s | 32) <= 'f' ? (*s | 32) - 'a' + 10 : 16;
            if (digit == 16) break;
            if (digits == 4) return 0;
            group = group << 4 | digit;
            digits++;
        }
        if (digits == 0) return 0;
        if (*s == '.') {
            if (count > 12 || !__ravelin_read_address(begin, bytes + count)) return 0;
            count += 4;
            break;
        }
        if (count > 14) return 0;
        bytes[count] = (unsigned char)(group >> 8);
        bytes[count + 1] = (unsigned char)group;
        count += 2;
        if (*s == ':') {
            s++;
            if (*s == 0) return 0;
        } else if (*s != 0) {
            return 0;
        }
    }
    if (gap < 0) return count == 16;
    if (count == 16) return 0;
    for (i = count - 1; i >= gap; i--) bytes[i + 16 - count] = bytes[i];
    for (i = gap; i < gap + 16 - count; i++) bytes[i] = 0;
    return 1;
}
int inet_pton(int family, const char *s, void *address) {
    unsigned char bytes[16];
    int size = family == 2 ? 4 : 16;
    int i;
    if (family != 2 && family != 10) {
        *__errno_location() = 97; /* EAFNOSUPPORT */
        return -1;
    }
    if (family == 2 ? !__ravelin_read_address(s, bytes) : !__ravelin_read_address6(s, bytes)) {
        return 0;
    }
    for (i = 0; i < size; i++) ((unsigned char *)address)[i] = bytes[i];
    return 1;
}

//: inet_network
// As inet_aton, but the numbers are bytes, the last one stands lowest, and the order is the host's.
static unsigned __ravelin_network_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}
unsigned inet_network(const char *s) {
    unsigned result = 0;
    int parts;
    for (parts = 1;; parts++) {
        unsigned base = 10;
        unsigned number = 0;
        int digits = 0;
        if (*s == '0') {
            digits = 1;
            base = 8;
            s++;
        }
        if (*s == 'x' || *s == 'X') { /* glibc takes it without a zero as well */
            digits = 0;
            base = 16;
            s++;
        }
        for (; __ravelin_network_digit(*s) < base; s++) {
            number = number * base + __ravelin_network_digit(*s);
            if (number > 255) return 0xffffffffu;
            digits = 1;
        }
        if (!digits) return 0xffffffffu;
        result = result << 8 | number;
        if (*s != '.') break;
        if (parts == 4) return 0xffffffffu;
        s++;
    }
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
    return *s == 0 ? result : 0xffffffffu;
}
