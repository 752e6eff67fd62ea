// run: exit 0
// stdout: 3.500000 -0.25 1e+10
// stdout: 2.50 3 1.000000e+00
// stdout: inf nan
// verdict: TRUE

#include <math.h>
#include <stdio.h>

int main(void) {
    printf("%f %g %g\n", 3.5, -0.25f, 1e10);
    printf("%.2f %.0f %e\n", 2.5, 3.0, 1.0);
    printf("%f %f\n", HUGE_VAL, fabs(HUGE_VAL - HUGE_VAL));
    return 0;
}
