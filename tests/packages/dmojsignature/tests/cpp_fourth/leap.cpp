bool is_leap(int year) { return year % 4 == 0; }
