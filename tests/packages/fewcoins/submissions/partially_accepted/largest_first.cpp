#include <iostream>

int main() {
    int price;
    std::cin >> price;
    for (int coin : {10, 7, 1})
        for (; price >= coin; price -= coin) std::cout << coin << "\n";
}
