// run: exit 0
// verdict: TRUE

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

int main(void) {
    struct in_addr address;
    unsigned char six[16];
    char text[INET6_ADDRSTRLEN];
    assert(htonl(0x01020304) == 0x04030201 && ntohs(0x1234) == 0x3412);
    assert(inet_aton("127.0.0.1", &address) && ntohl(address.s_addr) == 0x7f000001);
    assert(strcmp(inet_ntoa(address), "127.0.0.1") == 0);
    assert(!inet_aton("127.0.0.256", &address) && inet_pton(AF_INET, "1.2.3", &address) == 0);
    assert(inet_pton(AF_INET6, "fe80::1", six) == 1 && six[0] == 0xfe && six[15] == 1);
    assert(inet_ntop(AF_INET6, six, text, sizeof text) == text && strcmp(text, "fe80::1") == 0);
    assert(inet_ntop(AF_INET6, six, text, 5) == 0);
    return 0;
}
