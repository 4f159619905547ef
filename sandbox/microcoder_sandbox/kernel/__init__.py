"""What the kernel enforces: namespaces, Landlock, seccomp.

In the host: policy, syscall_numbers and bpf make filters (guest/native reads numbers of policy,
too). In the server: namespaces, and landlock (the host asks for its version). In server and guest:
seccomp. Everywhere: syscalls.
"""
