#include "wagons.h"

long long larger(long long, long long);

long long heaviest(const std::vector<long long> &loads) {
    long long best = loads[0], ending = 0;
    for (long long load : loads) {
        ending = larger(ending, 0) + load;
        best = larger(best, ending);
    }
    return best;
}
