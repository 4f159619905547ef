"""The main class and the file of a Java program, told from its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval import java_names

MAIN = "public static void main(String[] args) { }"
CASES = {
    "the public class": (f"public class Solve {{ {MAIN} }}", "Solve.java", "Solve"),
    "no public class": (f"class A {{ }} class B {{ {MAIN} }}", "B.java", "B"),
    "another is public": (f"public class A {{ }} class B {{ {MAIN} }}", "A.java", "B"),
    "an inner class before": (f"class A {{ class X {{ int y; }} {MAIN} }}", "A.java", "A"),
    "a package": (f"package a.b;\nclass A {{ {MAIN} }}", "A.java", "a.b.A"),
    "in a comment": (f"// class X {{\n/* class Y {{ */ class A {{ {MAIN} }}", "A.java", "A"),
    "in a text": (f'class A {{ String s = "class B {{ "; {MAIN} }}', "A.java", "A"),
    "final": (f"public final class A {{ {MAIN} }}", "A.java", "A"),
    "a record": (f"record P(int x) {{ }} class A {{ {MAIN} }}", "A.java", "A"),
    "an interface": (f"interface I {{ void f(); }} class A {{ {MAIN} }}", "A.java", "A"),
    "other letters": (f"public class Größe {{ {MAIN} }}", "Größe.java", "Größe"),
    "a dollar": (f"class $A {{ {MAIN} }}", "$A.java", "$A"),
    "an open text": (f'class A {{ {MAIN} }} // "\nString s = "class B {{', "A.java", "A"),
    "synchronized": (
        "class A { public static synchronized void main(String[] args) { } } class B { }",
        "A.java",
        "A",
    ),
    "a public class later": (f"class A {{ {MAIN} }} public class B {{ {MAIN} }}", "B.java", "B"),
    "the first of two": (f"class A {{ {MAIN} }} class B {{ {MAIN} }}", "A.java", "A"),
    "without arguments": (
        "class A { public static void main() { } } class B { static public void main(String... a) ",
        "B.java",
        "B",
    ),
    "not public": (
        f"class A {{ static void main(String[] a) {{ }} }} class B {{ {MAIN} }}",
        "B.java",
        "B",
    ),
    "a machine of today": ("class A { } class B { void main() { } }", "B.java", "B"),
    "nothing": ("", "Main.java", None),
    "no main": ("class A { void run() { main(null); } } public class B { }", "B.java", None),
}


@pytest.mark.parametrize("name", CASES)
def test_the_class_with_a_main_method_is_started(name: str) -> None:
    source, file, main_class = CASES[name]
    assert java_names.derive_names(source) == (file, (main_class,) if main_class else ())


@given(st.text(alphabet="class {}/*\"'\npublicAB;main(static void"))
def test_any_text_gives_a_plain_file_name(source: str) -> None:
    file, main_classes = java_names.derive_names(source)
    assert file.endswith(".java")
    assert "/" not in file
    assert all(main_classes)
