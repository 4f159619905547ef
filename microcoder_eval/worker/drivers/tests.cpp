
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
struct microcoder_guard {
    char key[33];
    microcoder_guard() { if (!fgets(key, 33, stdin)) key[0] = 0; fclose(stdin); }
    ~microcoder_guard() { fflush(stdout); fputs(key, stdout); fflush(stdout); }
};
