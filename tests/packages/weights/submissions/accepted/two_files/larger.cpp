long long larger(long long a, long long b) { return a < b ? b : a; }
