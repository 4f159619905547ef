#ifndef LEAP_H
#define LEAP_H

bool is_leap(int year);

#endif
