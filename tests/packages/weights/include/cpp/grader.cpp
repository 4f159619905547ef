#include "wagons.h"

#include <iostream>

int main() {
    int count;
    std::cin >> count;
    std::vector<long long> loads(count);
    for (auto &load : loads) std::cin >> load;
    std::cout << heaviest(loads) << "\n";
}
