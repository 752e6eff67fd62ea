// run: division-by-zero
// The error lies only behind a division by zero: neither TRUE nor FALSE.
extern void reach_error(void);

static int zero;

int main(void)
{
    int quotient = 10 / zero;
    reach_error();
    return quotient;
}
