"""MicroCoder-GRPO: the training loop. Not built yet; the judge it will be rewarded by is."""
