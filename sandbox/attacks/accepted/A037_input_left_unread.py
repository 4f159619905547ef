# /// attack
# id = "A037"
# name = "end without reading the input"
# category = "output"
# does = "answers without a look at 20 MB of input: it is judged by its answer"
# stopped_by = "nothing: input is a file, nobody waits for its reader"
# verdict = "AC"
# problem.tests = [{input="1 ", input_times=10_000_000, output="1\n"}]
# ///
print(1)
