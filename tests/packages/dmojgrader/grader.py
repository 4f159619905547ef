from dmoj.graders.interactive import InteractiveGrader


class Grader(InteractiveGrader):
    """Sends numbers and wants each of them doubled."""

    def interact(self, case, interactor):
        for number in range(case.position, case.position + 3):
            interactor.writeln(number)
            if interactor.readint() != 2 * number:
                return False
        return True
