#include "leap.h"

bool is_leap(int year) { return year % 400 == 0 || (year % 4 == 0 && year % 100 != 0); }

int main() { return is_leap(2000) ? 0 : 1; }
