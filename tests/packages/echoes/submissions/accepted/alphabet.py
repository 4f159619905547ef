task, text = input().split()
print(chr(97 + int(text)) if task == "hide" else ord(text) - 97)
