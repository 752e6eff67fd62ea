// run: exit 0
// verdict: TRUE

// A macro with a label of its own can be used more than once.
#define FIND(array, length, value)                          \
    ({                                                      \
        __label__ found;                                    \
        int i_;                                             \
        for (i_ = 0; i_ < (length); i_++)                   \
            if ((array)[i_] == (value)) goto found;         \
        i_ = -1;                                            \
    found:                                                  \
        i_;                                                 \
    })

int main(void) {
    int a[] = {4, 5, 6};
    return FIND(a, 3, 6) - 2 + FIND(a, 3, 4) + FIND(a, 3, 9) + 1;
}
