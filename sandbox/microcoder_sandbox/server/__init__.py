"""The fork server: ours, and confined. Trusted only for what wait4 reports to it."""
