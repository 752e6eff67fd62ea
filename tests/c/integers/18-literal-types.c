// run: exit 0
// verdict: TRUE

// C11 6.4.4.1p5: a hexadecimal literal may be unsigned where the decimal one widens.
extern void reach_error(void);

int main(void) {
    if (sizeof(2147483647) != 4) reach_error();
    if (sizeof(0x80000000) != 4) reach_error();
    if (-0x80000000 < 0) reach_error();
    if (!(-2147483648 < 0)) reach_error();
    if (sizeof(0xffffffff) != 4) reach_error();
    if (sizeof(0x100000000) != 8) reach_error();
    if (sizeof(1u) != 4 || sizeof(1ll) != 8 || sizeof(1Ull) != 8) reach_error();
    if (0777 != 511 || 0x1F != 31 || 0b1011 != 11) reach_error();
    if (-1 < 0xffffffff) reach_error();
    if (-1 == 4294967295ll) reach_error();
    if ('\0' != 0 || '\n' != 10 || '\\' != 92 || '\'' != 39) reach_error();
    if ('\101' != 'A' || '\x41' != 'A' || '\e' != 27) reach_error();
    if ('ab' != 'a' * 256 + 'b') reach_error();
    return 0;
}
