print(" ".join(input().upper().split()))
