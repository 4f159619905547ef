#include <cstdio>

#include "distance.h"

int main() {
    double x, y;
    if (std::scanf("%lf %lf", &x, &y) != 2) return 1;
    std::printf("%.8f\n", distance_of(x, y));
}
