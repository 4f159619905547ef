# /// attack
# id = "A074"
# name = "calls by another door of the processor"
# category = "process"
# does = "makes 32-bit and x32 calls, whose numbers mean something else; elsewhere, calls numbered as x32's"
# stopped_by = "the filter kills whoever uses another architecture's numbers"
# verdict = "RE"
# says = "SIGSYS"
# every_test = true
# problem.tests = [{input="x32\n", output="0\n"}, {input="i386\n", output="0\n"}]
# ///
import ctypes
import mmap
import os

if os.uname().machine == "x86_64":
    memory = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    if input() == "x32":
        print(libc.syscall(0x40000000 | 57), libc.syscall(0x40000000 | 520))
    # mov eax, 2 (fork, by the numbers of i386); int 0x80; ret
    memory.write(b"\xb8\x02\x00\x00\x00\xcd\x80\xc3")
    print(ctypes.CFUNCTYPE(ctypes.c_int)(start)())
else:
    print(ctypes.CDLL(None, use_errno=True).syscall(0x40000000 | 57))
