"""What the kernel enforces: namespaces, Landlock, seccomp.

In the host: policy and bpf make filters (guest/native reads numbers of policy, too). In the server:
namespaces. In server and guest: seccomp and landlock. Everywhere: syscalls.
"""
