double distance_of(double x, double y);
