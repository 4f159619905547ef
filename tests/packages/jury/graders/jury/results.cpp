#include "results.h"
#include <iostream>
std::vector<Result> read_results() {
  std::vector<Result> results;
  Result result;
  while (std::cin >> result.verdict >> result.score) results.push_back(result);
  return results;
}
