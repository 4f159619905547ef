#include <iostream>

int main() {
    int pots, total = 0, pot;
    std::cin >> pots;
    while (pots--) std::cin >> pot, total = (total + pot) % 1000000;
    std::cout << total << "\n";
}
