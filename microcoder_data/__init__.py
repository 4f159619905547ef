"""The corpus pipeline: makes problems for training out of raw problems (``microcoder-data``).

    collect -> process -> filter -> decontaminate -> verify        each reads and writes JSONL

Optional stages: review follows process, and strengthen follows verify.

A row is an object of tests.jsonl with further keys of this package. The judge never imports this
package; this package imports neither torch nor the trainer.
"""
