"""After the fork, in the program's own process: nothing it says is believed."""
