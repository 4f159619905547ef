#ifndef WAGONS_H
#define WAGONS_H

#include <vector>

long long heaviest(const std::vector<long long> &loads);

#endif
