def heaviest(loads):
    best = ending = 0
    for load in loads:
        ending = max(ending + load, 0)
        best = max(best, ending)
    return best
