"""What the kernel enforces: namespaces, Landlock and seccomp, one layer a module."""
