#include "wagons.h"

long long heaviest(const std::vector<long long> &loads) {
    long long best = loads[0];
    for (std::size_t i = 0; i <= loads.size(); i++) best += loads.at(i);
    return best;
}
