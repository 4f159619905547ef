# /// attack
# id = "A414"
# name = "an interactor that never ends"
# category = "output"
# does = "makes an interactor compute without end, in each test"
# stopped_by = "an interactor has a limit of CPU time, and all its failed runs of a solution one budget"
# verdict = "WA"
# at_level.2 = {verdict="JE", why="this kind of problem needs a folder to write to, and that needs Landlock (level 3): any program is JE"}
# problem.tests = [{input="", output=""}, {input="", output=""}, {input="", output=""}]
# problem.interactor.source = "number = int(input())\nwhile number: number += 1"
# ///
print(1)
