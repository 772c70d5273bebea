#!/usr/bin/env python3
"""Every test can fail: it has an assertion, or calls a helper that has one. What it captures can be read. assertions_test.py ROOT

Looks at the test cases of doctest, at the functions test_* in C, and at those in Python. Helpers are found by name: one of the same
file comes first, then those of all tests. Unit tests all stand in the namespace transpire::test or one of its own in it, and a CTest's name begins with its folder.
"""
import ast
import collections
import pathlib
import re
import sys

import cpp_source

ASSERTION = re.compile(r"(CHECK|REQUIRE|FAIL)(_\w+)?")
TEST = r"TEST_CASE(?:_\w+)?"
NAMESPACE = re.compile(r"^namespace transpire::test(::\w+)? {$", re.MULTILINE)
Bodies = dict[str, list[set[str]]]  # by name: the words that each function of the name calls


def called(tokens: list[cpp_source.Token]) -> set[str]:
    """The words that look like calls, macros among them; and what the tests in C count failures in."""
    words = set()
    for token, after in zip(tokens, [*tokens[1:], None]):
        if token.kind == "word" and (token.text == "failures" or after is not None and after.text in ("(", "<")):
            words.add(token.text)
    return words


def bodies_of(text: str) -> Bodies:
    bodies: Bodies = collections.defaultdict(list)
    for function in cpp_source.functions(text):
        bodies[function.name].append(called(function.body))
    for token in cpp_source.tokenize(text):
        macro = re.match(r"\s*#\s*define\s+(\w+)\(", token.text) if token.kind == "directive" else None
        if macro:
            body = token.text[macro.end():].replace("\\\n", " ")
            bodies[macro[1]].append(called(cpp_source.code(cpp_source.tokenize(body))))
    return bodies


def asserting(bodies: Bodies, known: set[str]) -> set[str]:
    """The names whose functions all assert something, given others that do."""
    found = set()
    while True:
        more = {name for name, each in bodies.items() if name not in found and all(
            any(ASSERTION.fullmatch(word) or word == "failures" or word in found
                or (word in known and word not in bodies) for word in words) for words in each)}
        if not more:
            return found
        found |= more


def cpp_breaches(files: dict[str, str]) -> tuple[int, list[str]]:
    """How many tests there are, and those that assert nothing."""
    bodies = {path: bodies_of(text) for path, text in files.items()}
    known: set[str] = set()
    while True:
        more = set().union(*(asserting(each, known) for each in bodies.values())) - known
        if not more:
            break
        known |= more
    count, breaches = 0, []
    for path, text in files.items():
        own = asserting(bodies[path], known)
        for function in cpp_source.functions(text):
            if not re.fullmatch(TEST, function.name) and not (path.endswith(".c") and function.name.startswith("test_")):
                continue
            count += 1
            words = called(function.body)
            if not any(ASSERTION.fullmatch(word) or word in own or (word in known and word not in bodies[path])
                       for word in words):
                breaches.append(f"{path}:{function.first}: the test asserts nothing")
        breaches += captured_pointers(path, text)
        if re.search(rf"^{TEST}\(", text, re.MULTILINE) and not NAMESPACE.search(text):
            breaches.append(f"{path}:1: the tests are not in transpire::test")
    return count, breaches


def captured_pointers(path: str, text: str) -> list[str]:
    """Captures of a `const char*`, which doctest prints as an address. A name is looked up in the lines before, a member in the file."""
    lines, breaches = text.splitlines(), []
    for number, line in enumerate(lines):
        capture = re.match(r"\s*(?:CAPTURE|INFO)\((.*)\);", line)
        for argument in re.split(r",\s*|\s*<<\s*", capture[1]) if capture and "fmt::" not in line else []:
            if not re.fullmatch(r"\w+(\.\w+)?", argument):
                continue
            declaration = re.compile(rf"\b([\w:]+[\w:<>]*)(\s*[*&]+\s*(?:const\s+)?|\s+){argument.rpartition('.')[2]}\s*(?=[;:=,){{])")
            seen = [match for each in (lines if "." in argument else lines[:number]) for match in declaration.finditer(each)
                    if match[1] not in ("return", "case", "else")]
            if seen and seen[-1][1] == "char" and "*" in seen[-1][2]:
                breaches.append(f"{path}:{number + 1}: '{argument}' is a pointer, which is printed as an address: std::string({argument})")
    return breaches


def python_functions(tree: ast.AST) -> dict[str, list[ast.FunctionDef]]:
    functions = collections.defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            functions[node.name].append(node)
    return functions


def python_breaches(path: str, tree: ast.AST, helpers: dict[str, list[ast.FunctionDef]]) -> tuple[int, list[str]]:
    """How many tests a file has, and those that assert nothing or that another one of their name hides."""
    functions = {**helpers, **python_functions(tree)}

    def asserts(node: ast.FunctionDef, way: tuple[str, ...]) -> bool:
        for part in ast.walk(node):
            if isinstance(part, ast.Assert):
                return True
            if not isinstance(part, ast.Call):
                continue
            name = part.func.attr if isinstance(part.func, ast.Attribute) else getattr(part.func, "id", "")
            if re.fullmatch(r"assert[A-Z]\w*|fail", name):
                return True
            if name not in way and name in functions and all(asserts(f, (*way, name)) for f in functions[name]):
                return True
        return False

    count, breaches = 0, []
    for scope in ast.walk(tree):
        if not isinstance(scope, (ast.Module, ast.ClassDef)):
            continue
        tests = [node for node in scope.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
        count += len(tests)
        for i, node in enumerate(tests):
            if not asserts(node, (node.name,)):
                breaches.append(f"{path}:{node.lineno}: the test asserts nothing")
            if any(node.name == later.name for later in tests[i + 1:]):
                breaches.append(f"{path}:{node.lineno}: another test of this name hides it")
    return count, breaches


def wrong_names(root: pathlib.Path) -> list[str]:
    """CTests whose name does not begin with the folder of tests/ or bench/ that they stand in."""
    wrong = []
    for path in [*root.glob("tests/*/**/CMakeLists.txt"), *root.glob("tests/*/**/*.cmake"), root / "bench/CMakeLists.txt"]:
        parts = path.relative_to(root).parts
        folder = parts[0] if parts[0] == "bench" else parts[1]
        for name in re.findall(r"(?:add_test\(NAME |transpire_python_test\()(\S+)", path.read_text(encoding="utf-8")):
            if name.split("_")[0] != folder:
                wrong.append(f"{path.relative_to(root)}:1: the CTest {name} is not called {folder}_...")
    return wrong


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    files = {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in cpp_source.sources(root)
             if path.is_relative_to(root / "tests")}
    count, breaches = cpp_breaches(files)
    for path in sorted((root / "tests").rglob("*.py")):
        support = path.parent / "support.py"
        helpers = python_functions(ast.parse(support.read_text(encoding="utf-8"))) if support.exists() else {}
        tree = ast.parse(path.read_text(encoding="utf-8"))
        more, wrong = python_breaches(str(path.relative_to(root)), tree, helpers)
        count += more
        breaches += wrong
    breaches += wrong_names(root)
    print("\n".join(breaches))
    print(f"{count} tests, {len(breaches)} breaches")
    return 1 if breaches or count < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
