// outcomes: invalid-memory
// verdict: FALSE

// The function that is called is somebody else's, and returns.
extern void reach_error(void);

typedef void (*callback)(void);
extern callback take(void);

int main(void) {
    callback function = take();
    function();
    reach_error();
    return 0;
}
