#!/usr/bin/env python3
"""The rooms of the build: their order, what they include, and their picture in docs/architecture.md.

usage: layers_test.py REPOSITORY LINKS [--update]

LINKS is what the build wrote of its own link graph: a line for each room, "folder<tab>linked targets". A room links what
it includes and nothing else; no links go in a circle. The picture is made of the links; --update writes it.
"""
import pathlib
import re
import sys

BEGIN, END = "<!-- rooms: made by tests/layers_test.py --update -->\n", "<!-- end of rooms -->\n"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
# Clients see the public headers; the library that they link is in no header of theirs.
CLIENT = "transpire::transpire"
Links = dict[str, set[str]]


def read_links(path: pathlib.Path) -> tuple[Links, Links]:
    """What each room sees, and what it is linked with besides."""
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    rooms = {"transpire_" + room.replace("/", "_"): room for room, _ in lines}
    sees: Links = {room: set() for room, _ in lines}
    besides: Links = {room: set() for room, _ in lines}
    for room, linked in lines:
        for target in linked.split(";"):
            only = re.fullmatch(r"\$<LINK_ONLY:(.+)>", target)
            if target == CLIENT:
                sees[room].add("include")
                besides[room] |= {"c_api", "runtime", "ulp"}
            elif only:
                besides[room].add(rooms[only.group(1)])
            elif target in rooms:
                sees[room].add(rooms[target])
    return sees, besides


def levels_of(links: Links) -> dict[str, int]:
    """How high each room stands: above all that it links. Ends the program where links go in a circle."""
    levels: dict[str, int] = {}

    def level(room: str, way: list[str]) -> int:
        if room in way:
            sys.exit("a circle: " + " -> ".join(way[way.index(room):] + [room]))
        if room not in levels:
            levels[room] = max((1 + level(below, way + [room]) for below in links[room]), default=0)
        return levels[room]

    for room in links:
        level(room, [])
    return levels


def room_of(name: str, rooms) -> str | None:
    if name.startswith("transpire/"):
        return "include"
    parts = name.split("/")
    return next((room for room in ("/".join(parts[:2]), parts[0]) if room in rooms), None)


def included(root: pathlib.Path, room: str, rooms) -> dict[str, str]:
    """The other rooms that a room's files include, each with a file that does."""
    found: dict[str, str] = {}
    for path in sorted((root / room).rglob("*")):
        if path.suffix not in {".h", ".hpp", ".cpp", ".def", ".inc"}:
            continue
        if room_of(str(path.relative_to(root)), rooms) not in (None, room):
            continue  # a room within this one's folder
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            target = room_of(name, rooms)
            if target not in (None, room):
                found.setdefault(target, f'{path.relative_to(root)} includes "{name}"')
    return found


def mistakes_of(root: pathlib.Path, links: Links) -> list[str]:
    mistakes = []
    for room, linked in links.items():
        found = included(root, room, links)
        mistakes += [f"{room} does not link {other}: {found[other]}" for other in sorted(found.keys() - linked)]
        mistakes += [f"{room} links {other} and includes nothing of it" for other in sorted(linked - found.keys())]
    for folder in ["bench", "examples/library", "examples/opencl"]:  # which can be built on their own
        found = included(root, folder, links)
        mistakes += [f"{folder} may not see {other}: {found[other]}" for other in sorted(found.keys() - {"include"})]
    for path in sorted([*root.glob("vm/**/*.cpp"), *root.glob("launch/**/*.cpp")]):
        if "/".join(path.relative_to(root).parts[:2]) not in links:
            mistakes.append(f"{path.relative_to(root)} stands in no room")
    return mistakes


def purpose(root: pathlib.Path, room: str) -> str:
    """The first sentence of the room's CMakeLists.txt."""
    comment = re.match(r"(?:# [^\n]*\n)+", (root / room / "CMakeLists.txt").read_text(encoding="utf-8"))
    text = re.sub(r"\n?# ", " ", comment.group(0)).strip()
    return re.split(r"(?<=\.)\s", text)[0]


def picture(root: pathlib.Path, links: Links, besides: Links) -> str:
    levels = levels_of({room: links[room] | besides[room] for room in links})
    lines = ["```"]
    for level in range(max(levels.values()), -1, -1):
        lines.append(f"{level:2}  " + "   ".join(sorted(room for room in links if levels[room] == level)))
    lines += ["```", "", "| room | holds | sees |", "|---|---|---|"]
    for room in sorted(links, key=lambda room: (-levels[room], room)):
        lines.append(f"| `{room}` | {purpose(root, room)} | {' '.join(sorted(links[room]))} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    links, besides = read_links(pathlib.Path(sys.argv[2]))
    page = root / "docs" / "architecture.md"
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    shown, after = rest.split(END)
    made = picture(root, links, besides)
    mistakes = mistakes_of(root, links)
    if "--update" in sys.argv:
        page.write_text(before + BEGIN + made + END + after, encoding="utf-8")
    elif shown != made:
        mistakes.append("docs/architecture.md does not show the rooms as they are: run layers_test.py with --update")
    print("\n".join(mistakes))
    print(f"{len(links)} rooms, {len(mistakes)} mistakes")
    return 1 if mistakes or len(links) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
