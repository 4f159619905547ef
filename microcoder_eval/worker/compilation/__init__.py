"""Compiles programs: what was compiled before, the compilers, and what they prepare."""
