#include <cstdlib>
#include <fstream>

#include "validate.h"

Rules read_rules(int argc, char **argv) {
    Rules rules{0};
    for (int i = 4; i < argc; i++) {
        const std::string flag = argv[i];
        if (flag == "close") rules.max_gap = 2;
        else if (flag == "max_gap" && i + 1 < argc) rules.max_gap = std::atoll(argv[++i]);
        else std::exit(1);
    }
    return rules;
}

void reject(const std::string &feedback_dir, const std::string &message) {
    std::ofstream(feedback_dir + "judgemessage.txt") << message << "\n";
    std::exit(43);
}
