// majority: the most common verdict decides, and half of the points are for the others.
// top: of the sample and the secret group only the latter counts; slow programs lose 5 points.
#include "results.h"
#include <iostream>
#include <string>

int main(int argc, char **argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const std::vector<Result> results = read_results();
  if (mode == "top") {
    const Result &secret = results.back();
    std::cout << secret.verdict << " " << secret.score << std::endl;
    return results.size() == 2 ? 0 : 1;
  }
  if (mode != "majority") return 1;
  size_t accepted = 0;
  double score = 0;
  bool slow = false;
  for (const Result &result : results) {
    accepted += result.verdict == "AC";
    slow |= result.verdict == "TLE";
    score += result.score;
  }
  if (2 * accepted <= results.size()) {
    std::cout << "WA 99\n";
  } else {
    std::cout << "AC " << score - (slow ? 5 : 0) << "\n";
  }
}
