int main() {
    volatile unsigned long long step = 0;
    for (;;) step++;
}
