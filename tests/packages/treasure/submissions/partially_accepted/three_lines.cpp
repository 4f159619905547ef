#include <iostream>
#include <set>

int main() {
    int count, value;
    std::cin >> count;
    std::set<int> values;
    for (int i = 0; i < 3 && std::cin >> value; i++) values.insert(value);
    long long sum = 0;
    for (int each : values) sum += each;
    std::cout << sum << "\n";
}
