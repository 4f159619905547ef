"""In host and guest: the environment variables of programs."""

# Python programs run without exec: they have the environment of their fork server.
PYTHON = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/",
    "LC_ALL": "C",  # setlocale(LC_ALL, "") reads no file then; the interpreter runs with -X utf8
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",  # else 64 MiB of a program's address space for each thread
}
# What an exec starts: compiled programs, runtimes. A toolchain adds its own.
NATIVE = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/", "TMPDIR": "."}
