class Lantern {
    static int glow(int lantern) {
        return lantern * 37 % 101;
    }
}
