// check: no-overflow
// run: exit 0
// verdict: TRUE

// Without negative enumerators, gcc's type of an enumeration is unsigned int; enumerators are ints.
enum kind { ONE = 1, TWO };

int main(void) {
    enum kind kind = 4294967295u;
    kind++;
    kind = kind - 1;
    return kind == 4294967295u && ONE - TWO == -1 ? 0 : 1;
}
