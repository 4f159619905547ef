#include <cstdlib>
#include <iostream>

int main() {
    long long cars, size;
    std::cin >> cars >> size;
    if (cars > 100) std::abort();
    std::cout << (cars + size - 1) / size << "\n";
}
