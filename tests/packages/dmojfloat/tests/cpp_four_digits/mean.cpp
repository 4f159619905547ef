#include <cstdio>

int main() {
    int count, value, sum = 0;
    if (std::scanf("%d", &count) != 1) return 1;
    for (int i = 0; i < count && std::scanf("%d", &value) == 1; i++) sum += value;
    std::printf("%.4f\n", static_cast<double>(sum) / count);
}
