def glow(lantern):
    return lantern * 37 % 101
