"""The mathematics of training: pure functions on tensors and token ids; no model, no files."""
