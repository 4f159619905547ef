#pragma once
#include <string>
#include <vector>
struct Result {
  std::string verdict;
  double score;
};
std::vector<Result> read_results();
