// outcomes: 0 invalid-memory
// verdict: FALSE

// The struct may hold the pointer that the function gets.
extern void reach_error(void);

struct view {
    int *start;
    long length;
};

extern struct view view_of(int *place);

int main(void) {
    int x = 0;
    struct view view = view_of(&x);
    x = 3;
    *view.start = 5;
    if (x == 5) reach_error();
    return 0;
}
