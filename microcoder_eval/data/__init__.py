"""Makes a corpus worth training on out of raw problems: what ``microcoder-data`` does.

    collect -> process -> filter -> verify        each JSONL to JSONL; decontaminate beside them

Rows are the objects of tests.jsonl (design: records and files) with keys of this package beside
them. Never imported by the judging road, and imports neither torch nor the trainer.
"""
