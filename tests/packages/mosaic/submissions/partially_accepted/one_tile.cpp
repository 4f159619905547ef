#include <iostream>

int main() {
    int length, count, tile, best = 0, number = 0;
    std::cin >> length >> count;
    for (int i = 1; i <= count; i++) {
        std::cin >> tile;
        if (tile <= length && tile > best) best = tile, number = i;
    }
    std::cout << 1 << " " << number << "\n";
}
