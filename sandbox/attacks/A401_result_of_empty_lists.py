# /// attack
# id = "A401"
# name = "result of empty lists"
# category = "resource"
# does = "returns lists whose text is short and that take the judge forty times as much memory"
# stopped_by = "what the expected value does not explain is counted as text and not decoded"
# verdict = ["WA", "TLE", "OLE"]
# why = "too many elements (WA); or sending them takes its time (TLE) or its output (OLE)"
# problem.kind = "call"
# problem.entry_point = "f"
# problem.tests = [{input=[1]}, {input=[2]}, {input=[3]}]
# ///
def f(number):
    many = 600_000
    return [[[]] * many, [{} for _ in range(many // 4)], [[[[]]]] * (many // 4)][number - 1]
