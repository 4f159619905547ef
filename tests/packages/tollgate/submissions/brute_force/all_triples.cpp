#include <iostream>

int main() {
    int gates, low = 1, high, open;
    std::cin >> gates;
    volatile long long sum = 0;
    for (int i = 0; i < gates; i++)
        for (int j = 0; j < gates; j++)
            for (int k = 0; k < gates; k++) sum = sum + 1;
    high = gates;
    while (low < high) {
        int middle = (low + high) / 2;
        std::cout << "? " << low << " " << middle << std::endl;
        std::cin >> open;
        if (open) high = middle;
        else low = middle + 1;
    }
    std::cout << "! " << low << std::endl;
}
