#include <stdio.h>
#include <stdlib.h>

int main(void) {
    long long x, y;
    if (scanf("%lld %lld", &x, &y) != 2) return 1;
    if (x == 0) abort();
    printf("%lld\n", x * x + y * y == 25 ? 5LL : x);
    return 0;
}
