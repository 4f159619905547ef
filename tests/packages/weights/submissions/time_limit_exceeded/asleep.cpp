#include "wagons.h"

long long heaviest(const std::vector<long long> &loads) {
    volatile std::size_t position = 0;
    for (;;) position = (position + 1) % loads.size();
}
