#include <fstream>
#include <iostream>
#include <string>

#include "rules.h"

// Arguments: input, output of the submission, judge's output.
int main(int, char **argv) {
    std::ifstream input(argv[1]), output(argv[2]);
    std::string word, answer, rest;
    input >> word;
    if (!(output >> answer) || output >> rest || answer == word) return 1;
    return rhymes(word.back(), answer.back()) ? 0 : 1;
}
