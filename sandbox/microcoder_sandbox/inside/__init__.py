"""The untrusted side: the fork server, and what its children do with a program."""
