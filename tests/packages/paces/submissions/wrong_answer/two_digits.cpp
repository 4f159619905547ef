#include <cmath>
#include <cstdio>

int main() {
    double x, y;
    if (std::scanf("%lf %lf", &x, &y) != 2) return 1;
    std::printf("%.2f\n", std::sqrt(x * x + y * y));
}
