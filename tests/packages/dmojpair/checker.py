"""Accepts any two different numbers of the list with the sum that is asked for."""


def check(process_output, judge_output, judge_input, **kwargs):
    lines = judge_input.decode().split("\n")
    wanted, numbers = int(lines[0]), lines[1].split()
    words = process_output.decode("utf-8").split()
    if judge_output.split() == [b"none"]:
        return words == ["none"]
    if len(words) != 2 or words[0] == words[1]:
        return False
    return all(word in numbers for word in words) and sum(map(int, words)) == wanted
