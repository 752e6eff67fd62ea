// run: exit 0
// verdict: TRUE

// The condition speaks of y alone; that it cannot fail, only x says.
extern void reach_error(void);

int main(void) {
    int x = 1, y;
    y = x;
    if (y != 1) reach_error();
    return 0;
}
