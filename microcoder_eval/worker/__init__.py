"""The worker's side: one process that runs a solution against the tests and decides verdicts."""
