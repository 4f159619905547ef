// The first pass keeps the number and the note in its feedback folder, for the second.
#include <fstream>
#include <iostream>
#include <string>

int main(int, char **argv) {
  const std::string folder = argv[3];
  std::string line;
  std::ifstream state(folder + "state.txt");
  if (state) {
    std::string secret, note, input;
    state >> secret >> note;
    std::ifstream(argv[1]) >> input;
    if (input != note) return 1;  // the input of this pass is what the first one left
    std::cout << "second " << note << std::endl;
    return std::getline(std::cin, line) && line == "! " + secret ? 42 : 43;
  }
  int secret, questions = 0;
  std::ifstream(argv[1]) >> secret;
  std::cout << "first" << std::endl;
  while (std::getline(std::cin, line)) {
    if (line.rfind("? ", 0) == 0) {
      if (++questions > 8) return 43;
      std::cout << (secret < std::stoi(line.substr(2)) ? "yes" : "no") << std::endl;
      continue;
    }
    const std::string note = line.rfind("! ", 0) == 0 ? line.substr(2) : "";
    if (note.empty() || note.size() > 2) return 43;
    std::ofstream(folder + "state.txt") << secret << " " << note << "\n";
    std::ofstream(folder + "nextpass.in") << note << "\n";
    return 42;
  }
  return 43;
}
