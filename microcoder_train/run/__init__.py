"""One training run: the loop, its evaluation, what it writes, and how it stops and resumes."""
