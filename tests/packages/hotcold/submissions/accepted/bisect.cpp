#include <iostream>
#include <string>

int main() {
    int low = 1, high = 1000000;
    std::string reply;
    while (reply != "correct") {
        int middle = low + (high - low) / 2;
        std::cout << middle << std::endl;
        std::cin >> reply;
        (reply == "lower" ? high : low) = reply == "lower" ? middle - 1 : middle + 1;
    }
}
