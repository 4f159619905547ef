"""Ours and confined: the fork server. Believed about what wait4 tells it, and nothing else."""
