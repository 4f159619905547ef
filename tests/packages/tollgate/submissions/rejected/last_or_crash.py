gates = int(input())
if gates > 100:
    raise SystemExit(3)
print("!", gates - gates // 4, flush=True)
