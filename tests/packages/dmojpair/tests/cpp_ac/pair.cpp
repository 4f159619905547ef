#include <iostream>
#include <vector>

int main() {
    int wanted, number;
    std::cin >> wanted;
    std::vector<int> numbers;
    while (std::cin >> number) {
        for (int other : numbers)
            if (other != number && other + number == wanted) {
                std::cout << number << "\n" << other << "\n";
                return 0;
            }
        numbers.push_back(number);
    }
    std::cout << "none\n";
}
