// run: exit 4
// verdict: TRUE

// The division is guarded by the left operand of && each time.
int main(void) {
    int zero = 0, hits = 0;
    if (zero != 0 && 10 / zero > 1) return 1;
    if (zero == 0 || 10 / zero > 1) hits = 4;
    hits = zero ? 1 / zero : hits;
    return hits;
}
