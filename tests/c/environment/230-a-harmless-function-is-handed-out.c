// outcomes: 0
// verdict: TRUE

// What gets a function may call it at any time: nobody can tell whether it does.
extern void reach_error(void);
extern void sort(int *first, int count, int (*compare)(const int *, const int *));

static int total;
static int numbers[2] = {2, 1};

static int compare(const int *a, const int *b) {
    int result = *a < *b ? -1 : *a > *b;
    return result;
}

int main(void) {
    sort(numbers, 2, compare);
    if (total != 0)
        reach_error();
    return 0;
}
