"""From judged groups to new weights: advantages, micro-batches, the policy and its update."""
