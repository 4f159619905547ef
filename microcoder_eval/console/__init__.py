"""What the console scripts of all packages share: a guarded run, the parser, streams, progress."""
