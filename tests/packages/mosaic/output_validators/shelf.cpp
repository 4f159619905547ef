#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

int main(int, char **argv) {
    std::ifstream input(argv[1]), answer(argv[2]);
    const std::string feedback_dir = argv[3];
    int length, count, best, taken, number, filled = 0;
    input >> length >> count;
    std::vector<int> tiles(count);
    for (int &tile : tiles) input >> tile;
    answer >> best;
    if (!(std::cin >> taken) || taken < 0 || taken > count) return 43;
    std::set<int> used;
    for (int i = 0; i < taken; i++) {
        if (!(std::cin >> number) || number < 1 || number > count) return 43;
        if (!used.insert(number).second) return 43;
        filled += tiles[number - 1];
    }
    std::string rest;
    if (std::cin >> rest || filled > length) return 43;
    std::ofstream(feedback_dir + "score.txt") << 25.0 * filled / best << "\n";
    return 42;
}
