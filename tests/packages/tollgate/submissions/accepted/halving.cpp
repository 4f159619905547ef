#include <iostream>

int main() {
    int low = 1, high, open;
    std::cin >> high;
    while (low < high) {
        int middle = (low + high) / 2;
        std::cout << "? " << low << " " << middle << std::endl;
        std::cin >> open;
        if (open) high = middle;
        else low = middle + 1;
    }
    std::cout << "! " << low << std::endl;
}
