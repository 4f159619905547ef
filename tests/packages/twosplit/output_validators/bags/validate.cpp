#include "validate.h"

#include <cstdlib>
#include <fstream>
#include <iostream>

int main(int argc, char **argv) {
    std::ifstream input(argv[1]);
    const std::string feedback_dir = argv[3];
    const Rules rules = read_rules(argc, argv);
    long long stones, first, second;
    std::string rest;
    input >> stones;
    if (!(std::cin >> first >> second)) reject(feedback_dir, "two numbers expected");
    if (std::cin >> rest) reject(feedback_dir, "trailing output");
    if (first <= 0 || second <= 0) reject(feedback_dir, "an empty bag");
    if (first + second != stones) reject(feedback_dir, "wrong number of stones");
    if (first == second) reject(feedback_dir, "equal bags");
    if (std::llabs(first - second) > rules.max_gap) reject(feedback_dir, "bags differ too much");
    return 42;
}
