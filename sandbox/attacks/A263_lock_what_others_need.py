# /// attack
# id = "A263"
# name = "lock what others need"
# category = "filesystem"
# does = "takes every lock it can on library files, the null device and its input, and keeps them"
# stopped_by = "seccomp: flock, locks of ranges and leases are refused"
# verdict = "WA"
# ///
import fcntl
import json
import os
import random

for path in (os.__file__, json.__file__, random.__file__, "/dev/null", "/dev/zero"):
    for flags in (os.O_RDONLY, os.O_RDWR):
        try:
            descriptor = os.open(path, flags)
        except OSError:
            continue
        for lock in (fcntl.LOCK_EX, fcntl.LOCK_SH):
            for take in (fcntl.flock, fcntl.lockf):
                try:
                    take(descriptor, lock | fcntl.LOCK_NB)
                except OSError:
                    pass
print("locked")
