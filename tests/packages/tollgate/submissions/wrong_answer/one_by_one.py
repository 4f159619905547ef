gates = int(input())
gate = 1
while gate < gates:
    print("?", gate, gate, flush=True)
    if input() == "1":
        break
    gate += 1
print("!", gate, flush=True)
