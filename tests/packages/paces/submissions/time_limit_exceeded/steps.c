#include <stdio.h>

int main(void) {
    volatile unsigned long long step = 0;
    double x, y;
    if (scanf("%lf %lf", &x, &y) != 2) return 1;
    for (;;) step++;
}
