#include "wagons.h"

long long heaviest(const std::vector<long long> &loads) {
    return 0;
}
