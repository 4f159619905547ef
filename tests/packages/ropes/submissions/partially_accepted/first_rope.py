input()
print(float(input().split()[0]))
