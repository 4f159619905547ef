#include "leap.h"

#include <cstdio>

static int first, last;

int main() {
    if (std::scanf("%d %d", &first, &last) != 2) return 1;
    int count = 0;
    for (int year = first; year <= last; year++) count += is_leap(year);
    std::printf("%d\n", count);
}
