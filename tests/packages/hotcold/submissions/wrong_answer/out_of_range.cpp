#include <iostream>

int main() {
    std::cout << 0 << std::endl;
    std::cin.get();
}
