print(7, flush=True)
if input() != "correct":
    raise ValueError("unlucky")
