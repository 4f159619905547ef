// @EXPECTED_RESULTS@: TIMELIMIT, RUN-ERROR
#include <iostream>

int main() {
    long long cars, size;
    std::cin >> cars >> size;
    volatile long long left = cars;
    while (size == 1 && cars > 100 && left != 0) left = left + 2 - left % 2;
    std::cout << (cars + size - 1) / size << "\n";
}
