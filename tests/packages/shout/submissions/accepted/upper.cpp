#include <cctype>
#include <iostream>
#include <string>

int main() {
    std::string line;
    std::getline(std::cin, line);
    for (char &letter : line) letter = std::toupper(static_cast<unsigned char>(letter));
    std::cout << line << "\n";
}
