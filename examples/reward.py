"""A reward function in five lines: judge a model's answers while the GPU goes on sampling."""

from microcoder_eval import Judge

TESTS = [{"input": "3\n1 2 3\n", "output": "6\n"}, {"input": "1\n5\n", "output": "5\n"}]
ANSWERS = [
    "Read, then sum:\n```python\ninput()\nprint(sum(map(int, input().split())))\n```",
    "```python\nprint(6)\n```",
    "I am still thinking about it",
]


def main() -> None:
    """Print the reward of each answer, None where the judge itself failed."""
    with Judge() as judge:
        for judgement in judge.map(({"response": answer}, TESTS) for answer in ANSWERS):
            print(judgement.verdict, judgement.status, judgement.reward)


if __name__ == "__main__":
    main()
