#include <cstdio>
#include <cstdlib>

int main(int, char **arguments) {
    int pots = atoi(arguments[1]);
    printf("%d\n", pots);
    for (int i = 0; i < pots; i++) printf("%s%c", arguments[2], i + 1 < pots ? ' ' : '\n');
}
