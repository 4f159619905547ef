#include <fstream>
#include <iostream>

int main(int, char **argv) {
    long long n, divisor;
    std::ifstream(argv[1]) >> n;
    if (!(std::cin >> divisor)) return 43;
    return divisor > 1 && divisor < n && n % divisor == 0 ? 42 : 43;
}
