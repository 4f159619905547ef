task, text = input().split()
print("a" if task == "hide" else 0)
