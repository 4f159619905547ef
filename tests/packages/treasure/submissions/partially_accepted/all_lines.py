# @EXPECTED_GRADES@ and other tags of comments mean nothing in this format.
input()
print(sum(map(int, input().split())))
