#include <cstdio>

int main() {
    int count, length, total = 0;
    if (std::scanf("%d", &count) != 1) return 1;
    for (int i = 0; i < count && std::scanf("%d", &length) == 1; i++) total += length;
    const int tenths = (total * 10 + count / 2) / count;
    std::printf("%d.%d\n", tenths / 10, tenths % 10);
}
