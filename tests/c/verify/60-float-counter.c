// run: exit 0
// verdict: TRUE

extern void reach_error(void);

int main(void) {
    float x = 0.0f;
    while (x < 2.0f) x += 0.25f;
    if (x != 2.0f) reach_error();
    return 0;
}
