"""Trusted, in the host: the compilers and runtimes of this machine, and what each needs to see."""
