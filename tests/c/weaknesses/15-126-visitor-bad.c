// check: valid-deref
// run: valid-deref

// CWE-126: whoever visits a range takes its end for a part of it.
#ifndef MORE
#define MORE <=
#endif

static int sum;

static void add(const int *value) { sum += *value; }

static void for_each(const int *first, const int *end, void (*visit)(const int *)) {
    for (; first MORE end; first++) visit(first);
}

int main(void) {
    int prices[3] = {7, 5, 3};
    for_each(prices, prices + 3, add);
    return sum != 15;
}
