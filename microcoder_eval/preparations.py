"""Work of compilers that is done once on a machine, and not again for each program."""

from __future__ import annotations

from microcoder_sandbox import PREPARED, Recipe, record

_JAVA_SAMPLE = """\
import java.io.*;
import java.util.*;
import java.util.stream.*;

public class Sample {
    private record Pair(int left, int right) {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        Scanner scanner = new Scanner(reader);
        Map<Integer, List<Integer>> lists = new HashMap<>();
        PriorityQueue<int[]> queue = new PriorityQueue<>((a, b) -> a[0] - b[0]);
        while (scanner.hasNextInt()) {
            int value = scanner.nextInt();
            lists.computeIfAbsent(value, key -> new ArrayList<>()).add(value);
            queue.add(new int[] {value});
        }
        StringBuilder text = new StringBuilder();
        text.append(String.format("%d%n", IntStream.range(0, 3).map(i -> i * 2).sum()));
        System.out.println(text.append(new Pair(1, 2)).toString() + lists.size());
    }
}
"""


@record
class Preparation:
    """One piece of such work.

    recipe: how it is made, once per machine.
    options: arguments with which the compiler uses it; "{folder}" stands for its folder.
    sign: a text that a program contains if it would use it.
    file: the program's file that it replaces, or "".
    """

    recipe: Recipe
    options: tuple[str, ...]
    sign: str = ""
    file: str = ""


def precompile_header(header: str, text: str, flags: tuple[str, ...]) -> Preparation:
    """Return the preparation of a C++ header for compilations with these flags.

    The compiler itself decides whether a program can use it: not behind another include or a
    pragma, nor behind a macro that the header looks at. text: the text of the header.
    """
    options = tuple(flag for flag in flags if flag not in ("-o", "program"))
    path = f"{PREPARED}/{header}"
    command = (*options, "-x", "c++-header", path, "-o", f"{path}.gch")
    return Preparation(Recipe(header, "g++", command, {path: text}), ("-I{folder}",), sign=header)


def precompile_stdcpp(flags: tuple[str, ...]) -> Preparation:
    """Return the preparation of the header with all of C++'s library."""
    return precompile_header("bits/stdc++.h", "#include_next <bits/stdc++.h>\n", flags)


def archive_javac(flags: tuple[str, ...]) -> Preparation:
    """Return the preparation of the compiler's own classes, parsed and checked (CDS). A Java
    machine uses an archive only if it is of its own build and flags."""
    flags = tuple(flag.replace("classes", PREPARED) for flag in flags)
    archive = f"{PREPARED}/javac.jsa"
    command = (f"-J-XX:ArchiveClassesAtExit={archive}", *flags, "Sample.java")
    return Preparation(
        Recipe("classes of javac", "java", command, {"Sample.java": _JAVA_SAMPLE}),
        ("-J-XX:SharedArchiveFile={folder}/javac.jsa",),
    )
