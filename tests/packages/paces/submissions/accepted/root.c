#include <math.h>
#include <stdio.h>

int main(void) {
    double x, y;
    if (scanf("%lf %lf", &x, &y) != 2) return 1;
    printf("%.9f\n", sqrt(x * x + y * y));
    return 0;
}
