// run: exit 0
// verdict: TRUE

// C11 6.4.5p6: char16_t strings are UTF-16, others have a unit for every character.
int main(void) {
    const unsigned short *text = u"\U0001F34C!";
    if (sizeof u"\U0001F34C!" != 8 || text[0] != 0xd83c || text[1] != 0xdf4c) return 1;
    if (sizeof U"\U0001F34C" != 8 || sizeof L"\U0001F34C" != 8) return 2;
    if (sizeof u8"\U0001F34C" != 5 || u'\U0001F34C' != 0xdf4c) return 3;
    return text[2] != '!' || sizeof(L"a" "bc") != 16;
}
