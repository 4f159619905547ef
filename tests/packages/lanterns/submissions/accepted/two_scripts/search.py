from lantern import glow


def brightest(count):
    return max(range(1, count + 1), key=glow)
