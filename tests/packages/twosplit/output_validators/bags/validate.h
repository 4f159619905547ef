#ifndef VALIDATE_H
#define VALIDATE_H

#include <string>

struct Rules {
    long long max_gap;
};

Rules read_rules(int argc, char **argv);
[[noreturn]] void reject(const std::string &feedback_dir, const std::string &message);

#endif
