#include <iostream>

int main() {
    long long n;
    std::cin >> n;
    const long long first = (n - 1) / 2;
    std::cout << first << " " << n - first << "\n";
}
