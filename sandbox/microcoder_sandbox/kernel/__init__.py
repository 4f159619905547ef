"""What the kernel enforces: namespaces, Landlock, seccomp."""
