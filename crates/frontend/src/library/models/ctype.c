// <ctype.h> in the "C" locale (C11 7.4). Where a class holds, glibc's functions return the bit of
// the class in its table; C only promises a value other than zero.
// What takes a `signed` here, an int, takes a wint_t in <wctype.h>, which is unsigned.

//: isdigit
//= isdigit -> iswdigit, signed -> unsigned
int isdigit(signed c) {
    return c >= '0' && c <= '9';
}

//: isxdigit
//= isxdigit -> iswxdigit, signed -> unsigned
int isxdigit(signed c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

//: isupper
//= isupper -> iswupper, signed -> unsigned
int isupper(signed c) {
    return c >= 'A' && c <= 'Z';
}

//: islower
//= islower -> iswlower, signed -> unsigned
int islower(signed c) {
    return c >= 'a' && c <= 'z';
}

//: isalpha
//= isalpha -> iswalpha, signed -> unsigned
int isalpha(signed c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

//: isalnum
//= isalnum -> iswalnum, signed -> unsigned
int isalnum(signed c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

//: isspace
//= isspace -> iswspace, signed -> unsigned
int isspace(signed c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

//: isblank
//= isblank -> iswblank, signed -> unsigned
int isblank(signed c) {
    return c == ' ' || c == '\t';
}

//: isprint
//= isprint -> iswprint, signed -> unsigned
int isprint(signed c) {
    return c >= ' ' && c <= '~';
}

//: isgraph
//= isgraph -> iswgraph, signed -> unsigned
int isgraph(signed c) {
    return c > ' ' && c <= '~';
}

//: iscntrl
int iscntrl(int c) {
    return (c >= 0 && c < ' ') || c == 127;
}

//: ispunct
//= ispunct -> iswpunct, signed -> unsigned
int ispunct(signed c) {
    return (c > ' ' && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a')
        || (c > 'z' && c <= '~');
}

//: isascii
int isascii(int c) {
    return c >= 0 && c < 128;
}

//: toascii
int toascii(int c) {
    return c & 127;
}

//: toupper
//= int -> unsigned, toupper -> towupper
int toupper(int c) {
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

//: tolower
//= int -> unsigned, tolower -> towlower
int tolower(int c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

//: __ctype_b_loc
// The table behind the macros of glibc's <ctype.h>, from -128 to 255. Its bits: upper 0x100, lower
// 0x200, alpha 0x400, digit 0x800, xdigit 0x1000, space 0x2000, print 0x4000, graph 0x8000,
// blank 1, cntrl 2, punct 4, alnum 8.
static const unsigned short __ravelin_classes[384] = {
    [128 ... 136] = 0x2, [137] = 0x2003, [138 ... 141] = 0x2002, [142 ... 159] = 0x2,
    [160] = 0x6001, [161 ... 175] = 0xc004,
    [176 ... 185] = 0xd808, [186 ... 192] = 0xc004,
    [193 ... 198] = 0xd508, [199 ... 218] = 0xc508, [219 ... 224] = 0xc004,
    [225 ... 230] = 0xd608, [231 ... 250] = 0xc608, [251 ... 254] = 0xc004,
    [255] = 0x2,
};
static const unsigned short *__ravelin_class = __ravelin_classes + 128;
const unsigned short **__ctype_b_loc(void) {
    return &__ravelin_class;
}
