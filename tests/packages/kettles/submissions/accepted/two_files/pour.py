from fraction import left

print(left(*map(float, input().split())))
