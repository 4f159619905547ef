#include <iostream>
#include <string>

int main() {
    int low = 1, high;
    std::string answer;
    std::cin >> high;
    while (low < high) {
        const int middle = (low + high) / 2;
        std::cout << middle << std::endl;
        std::cin >> answer;
        if (answer == "water") low = middle + 1;
        else high = middle;
    }
    std::cout << "= " << low << std::endl;
}
