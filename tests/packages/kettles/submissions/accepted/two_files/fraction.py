def left(first, second):
    return (first + second) * 2 / 3


if __name__ == "__main__":
    raise SystemExit("this is not where the program starts")
