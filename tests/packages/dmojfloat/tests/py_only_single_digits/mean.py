count = int(input())
values = [int(word) for word in input().split() if len(word) < 2 or word[0] == "-"]
print(sum(values) / count)
