#include <stdio.h>

int main(void) {
    double first, second;
    if (scanf("%lf %lf", &first, &second) != 2) return 1;
    printf("%.9e\n", (first + second) * 2 / 3);
    return 0;
}
