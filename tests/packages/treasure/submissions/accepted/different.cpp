#include <iostream>
#include <numeric>
#include <set>

int main() {
    int count, value;
    std::set<long long> values;
    for (std::cin >> count; std::cin >> value;) values.insert(value);
    std::cout << std::accumulate(values.begin(), values.end(), 0LL) << "\n";
}
