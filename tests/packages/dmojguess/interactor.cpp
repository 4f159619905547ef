// Exit codes as testlib has them: 0 accepts, 1 rejects, 2 is a presentation error, 7 gives points.
#include <cstdio>
#include <fstream>
#include <iostream>

int main(int, char **argv) {
    int hidden, guess, asked = 0;
    std::ifstream(argv[1]) >> hidden;
    while (std::cin >> guess) {
        asked++;
        if (guess < 1 || guess > 1000) return 2;
        if (guess == hidden) {
            std::cout << "found" << std::endl;
            if (asked <= 10) return 0;
            std::fprintf(stderr, "points %d\n", asked <= 500 ? 10 : 5);
            return 7;
        }
        if (asked == 1000) return 1;
        std::cout << (guess < hidden ? "more" : "less") << std::endl;
    }
    return 1;
}
