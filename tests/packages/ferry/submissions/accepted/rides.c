#include <math.h>
#include <stdio.h>

int main(void) {
    double cars, size;
    if (scanf("%lf %lf", &cars, &size) != 2) return 1;
    printf("%.0f\n", ceil(cars / size));
    return 0;
}
