def glow(lantern):
    return lantern % 10
