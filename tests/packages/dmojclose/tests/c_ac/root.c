#include <math.h>
#include <stdio.h>

int main(void) {
    double n;
    if (scanf("%lf", &n) != 1) return 1;
    printf("%d\n", (int)floor(sqrt(n)));
    return 0;
}
