#include <iostream>

#include "lantern.h"

int main() {
    int n, best = 1;
    std::cin >> n;
    for (int i = 2; i <= n; i++)
        if (glow(i) > glow(best)) best = i;
    std::cout << best << "\n";
}
