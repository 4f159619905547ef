#pragma once

inline bool rhymes(char first, char second) { return first == second; }
