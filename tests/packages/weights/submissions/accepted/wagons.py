def heaviest(loads):
    best = ending = loads[0]
    for load in loads[1:]:
        ending = max(ending, 0) + load
        best = max(best, ending)
    return best
