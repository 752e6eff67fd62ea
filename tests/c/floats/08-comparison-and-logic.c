// run: exit 9
// verdict: TRUE

int main(void) {
    double x = 0.1;
    float f = 0.1f;
    int score = 0;
    if (x) score += 1;
    if (!(f == x)) score += 2;
    if (f > x) score += 4;
    if (x && !0.0) score += 1;
    if (0.0 || -0.0) score += 16;
    score += -1 < 0.5 && 1 > 0.5f ? 1 : 32;
    return score;
}
