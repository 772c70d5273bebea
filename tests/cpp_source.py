"""C and C++ as the tests of the sources read it: tokens, and the functions that they make.

Braces are matched on tokens, so what stands in strings, characters and comments does not count. What a directive defines is
no function; both branches of a conditional are read, which is right as long as each of them has its braces in pairs.
"""
import dataclasses
import functools
import pathlib
import re

COMMENT = r"//(?:\\\n|[^\n])*|/\*.*?\*/"
RAW = r'(?:u8|[uUL])?R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"'
TEXT = r'"(?:\\.|[^"\\\n])*"'
DIRECTIVE = r"^[ \t]*\#(?:\\\n|//[^\n]*|/\*.*?\*/|[^\n])*"
NUMBER = r"[0-9](?:'?[0-9A-Za-z_.]|(?<=[eEpP])[+-])*"
CHARACTER = r"'(?:\\.|[^'\\\n])+'"
FLAGS = re.VERBOSE | re.DOTALL | re.MULTILINE
TOKEN = re.compile(rf"""
    (?P<comment>{COMMENT})
  | (?P<raw>{RAW})
  | (?P<text>(?:u8|[uUL])?{TEXT})
  | (?P<directive>{DIRECTIVE})
  | (?P<number>\.?{NUMBER})
  | (?P<character>(?:u8|[uUL])?{CHARACTER})
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark_>::|->|[^\s])
""", FLAGS)
# Comments, and the tokens that may hold what looks like one. Everything else of a file is skipped without a match.
COMMENT_OR_HOLDER = re.compile(rf"(?P<comment>{COMMENT}) | (?<!\w){RAW} | {TEXT} | {DIRECTIVE} | (?<!\w){NUMBER} | {CHARACTER}", FLAGS)
TYPE_KEYS = {"class", "struct", "union", "enum"}
BRACKETS = {"(": ")", "[": "]", "{": "}"}
SUFFIXES = {".c", ".cpp", ".h", ".hpp"}
# Words before a parenthesis that begins no parameter list.
NO_NAMES = {"noexcept", "alignas", "decltype", "requires", "__attribute__", "explicit"}


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    line: int


@dataclasses.dataclass
class Function:
    name: str
    first: int  # the line on which its declaration begins
    last: int  # that of its closing brace
    head: list[Token]
    body: list[Token]

    @property
    def lines(self) -> int:
        """Its lines without those of the texts in it, which are data."""
        return self.last - self.first + 1 - sum(t.text.count("\n") for t in self.body if t.kind == "raw")


def sources(root: pathlib.Path):
    """All files of C and C++ of the repository."""
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and not folder.name.startswith(".") and folder.name != "build":
            yield from (path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES)


@functools.lru_cache(maxsize=1)  # a file's tokens are asked for several times in turn
def tokenize(text: str) -> list[Token]:
    """All tokens, comments and directives among them."""
    tokens, line, end = [], 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", end, match.start())
        kind = "mark" if match.lastgroup == "mark_" else match.lastgroup
        tokens.append(Token("raw" if kind == "mark" and match["raw"] else kind, match.group(), line))
        line += match.group().count("\n")
        end = match.end()
    return tokens


@functools.lru_cache(maxsize=1)
def comments(text: str) -> list[Token]:
    """The comments alone: several times as fast."""
    tokens, line, end = [], 1, 0
    for match in COMMENT_OR_HOLDER.finditer(text):
        if match["comment"]:
            line += text.count("\n", end, match.start())
            end = match.start()
            tokens.append(Token("comment", match["comment"], line))
    return tokens


def code(tokens: list[Token]) -> list[Token]:
    return [token for token in tokens if token.kind not in ("comment", "directive")]


def closing(tokens: list[Token], at: int) -> int:
    """The index of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i].kind != "mark":
            continue
        if tokens[i].text in BRACKETS:
            depth += 1
        elif tokens[i].text in BRACKETS.values():
            depth -= 1
            if depth == 0:
                return i
    raise ValueError(f"line {tokens[at].line}: '{tokens[at].text}' is never closed")


def outer_words(head: list[Token]) -> list[str]:
    """The head's texts outside of parentheses, of square brackets and of the brackets of templates."""
    words, depth = [], 0
    for i, token in enumerate(head):
        if token.text in ("(", "["):
            depth += 1
        elif token.text in (")", "]"):
            depth -= 1
        elif token.text == "<" and i > 0 and head[i - 1].text not in ("operator", "<"):
            depth += 1
        elif token.text == ">" and depth > 0 and head[i - 1].text != "operator":
            depth -= 1
        elif depth == 0:
            words.append(token.text)
    return words


def kind_of(head: list[Token]) -> str:
    """What a brace opens that follows `head`, outside of functions: scope, function, value or member."""
    words = outer_words(head)
    if not head or "namespace" in words or (head[0].text == "extern" and head[-1].kind == "text"):
        return "scope"
    texts = [token.text for token in head]
    if "=" in words and "operator" not in words or texts[0] == "alignas":
        return "value"
    if TYPE_KEYS & set(words) and texts[-1] not in (")", "const", "noexcept", "override"):
        return "scope"
    if "(" not in texts:
        return "value"
    if ":" in words and ")" in texts[:texts.index(":") if ":" in texts else 0] and \
            (head[-1].kind == "word" and texts[-1] not in ("const", "noexcept", "override") or texts[-1] == ">"):
        return "member"
    return "function"


def name_of(head: list[Token]) -> str:
    """The last word before the first parenthesis that is a parameter list."""
    for i, token in enumerate(head):
        if token.text == "operator":
            return "operator" + "".join(t.text for t in head[i + 1:i + 3] if t.text != "(")
        if token.text == "(" and i > 0 and head[i - 1].kind == "word" and head[i - 1].text not in NO_NAMES:
            return head[i - 1].text
    return "?"


def lambdas(tokens: list[Token], begin: int, end: int):
    """The lambdas in the value between `begin` and `end`: outside of functions, each counts as one."""
    i = begin
    while i < end:
        if tokens[i].text == "{" and i > begin:
            before = i - 1
            while tokens[before].kind == "word" or tokens[before].text in ("->", "::", "*", "&"):
                before -= 1
            if tokens[before].text in (")", "]"):
                close = closing(tokens, i)
                yield Function("lambda", tokens[i].line, tokens[close].line, [], tokens[i + 1:close])
                i = close
        i += 1


def functions(text: str) -> list[Function]:
    """The functions of a file; a lambda and a local class belong to the function that they stand in."""
    tokens = code(tokenize(text))
    found, start, i = [], 0, 0
    while i < len(tokens):
        token = tokens[i]
        if token.kind == "mark" and token.text in "([":
            i = closing(tokens, i)
        elif token.kind == "mark" and token.text in ";}":
            start = i + 1
        elif token.text == ":" and i > start and tokens[i - 1].text in ("public", "private", "protected"):
            start = i + 1
        elif token.kind == "mark" and token.text == "{":
            head, kind = tokens[start:i], kind_of(tokens[start:i])
            if kind == "scope":
                start = i + 1
            else:
                close = closing(tokens, i)
                if kind == "function":
                    found.append(Function(name_of(head), head[0].line, tokens[close].line, head, tokens[i + 1:close]))
                    start = close + 1
                elif kind == "value":
                    found += lambdas(tokens, i, close)
                i = close
        i += 1
    return found
