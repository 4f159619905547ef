#include "wagons.h"

#include <algorithm>

long long heaviest(const std::vector<long long> &loads) {
    long long best = loads[0], ending = loads[0];
    for (std::size_t i = 1; i < loads.size(); i++) {
        ending = std::max(ending, 0LL) + loads[i];
        best = std::max(best, ending);
    }
    return best;
}
