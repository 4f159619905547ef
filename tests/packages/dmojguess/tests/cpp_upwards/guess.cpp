#include <iostream>
#include <string>

int main() {
    std::string reply;
    for (int guess = 1; reply != "found"; guess++) {
        std::cout << guess << std::endl;
        std::cin >> reply;
    }
}
