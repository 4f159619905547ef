#include "lantern.h"

int glow(int lantern) { return lantern * 37 % 101; }
