class Wagons {
    static long heaviest(long[] loads) {
        long best = Long.MIN_VALUE;
        long ending = 0;
        for (long load : loads) {
            ending = Math.max(ending, 0) + load;
            best = Math.max(best, ending);
        }
        return best;
    }
}
