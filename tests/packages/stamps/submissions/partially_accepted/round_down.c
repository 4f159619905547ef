#include <stdio.h>

int main(void) {
    int stamps, row;
    if (scanf("%d %d", &stamps, &row) != 2) return 1;
    printf("%d\n", stamps / row);
    return 0;
}
