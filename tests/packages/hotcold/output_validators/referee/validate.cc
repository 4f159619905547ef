#include "validate.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char **argv) {
    long long hidden, guess;
    int queries = 0;
    std::ifstream(argv[1]) >> hidden;
    for (int i = 4; i + 1 < argc; i += 2)
        if (std::string(argv[i]) == "queries") queries = std::atoi(argv[i + 1]);
    std::ofstream message(std::string(argv[3]) + "judgemessage.txt");
    while (queries-- > 0) {
        if (!(std::cin >> guess) || guess < 1 || guess > 1000000) {
            message << "no valid guess" << std::endl;
            return WRONG_ANSWER;
        }
        if (guess == hidden) {
            std::cout << "correct" << std::endl;
            return ACCEPTED;
        }
        std::cout << (hidden < guess ? "lower" : "higher") << std::endl;
    }
    message << "too many guesses" << std::endl;
    return WRONG_ANSWER;
}
