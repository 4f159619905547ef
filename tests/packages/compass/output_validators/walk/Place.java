/** Where a walk has led so far. */
class Place {
    int east, north;

    void step(char direction) {
        switch (direction) {
            case 'N': north++; break;
            case 'E': east++; break;
            case 'S': north--; break;
            case 'W': east--; break;
            default: throw new IllegalArgumentException("no direction: " + direction);
        }
    }
}
