"""What the kernel enforces: namespaces, Landlock, seccomp.

In host: syscalls, and the filters that policy and bpf make. In server and guest: what enters them.
"""
