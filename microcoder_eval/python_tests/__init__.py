"""Assert problems: which assertions become calls, and what stays test code."""
