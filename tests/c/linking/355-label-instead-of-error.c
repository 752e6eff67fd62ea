// run: exit 0
// verdict: TRUE

void reach_error(void) __asm__("harmless");
void harmless(void) {}

int main(void) {
    reach_error();
    return 0;
}
