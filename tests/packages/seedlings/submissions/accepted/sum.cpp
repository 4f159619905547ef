#include <iostream>

int main() {
    int pots;
    long long total = 0, pot;
    std::cin >> pots;
    while (pots--) std::cin >> pot, total += pot;
    std::cout << total << "\n";
}
