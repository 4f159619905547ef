import search

print(search.brightest(int(input())))
