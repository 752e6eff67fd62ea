// check: valid-deref
// run: valid-deref

// CWE-127: the first day of a record is compared with a day before it.
#ifndef FIRST
#define FIRST 0
#endif
#define DAYS 5

static int largest_rise(const int *heights) {
    int largest = 0;
    for (int day = FIRST; day < DAYS; day++) {
        int rise = heights[day] - heights[day - 1];
        if (rise > largest) largest = rise;
    }
    return largest;
}

int main(void) {
    int heights[DAYS] = {140, 138, 151, 150, 152};
    return largest_rise(heights) != 13;
}
