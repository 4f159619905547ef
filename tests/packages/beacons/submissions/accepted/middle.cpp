#include <algorithm>
#include <iostream>

int main() {
    int count, ship, low = 1000, high = 0;
    for (std::cin >> count; std::cin >> ship;) {
        low = std::min(low, ship);
        high = std::max(high, ship);
    }
    std::cout << (low + high + 1) / 2 << "\n";
}
