#!/usr/bin/env python3
"""Adds to the folders that packages are made of what Debian wants of a package.

usage: documents.py FOLDER ROOT VERSION MAINTAINER COMPONENT=PACKAGE...

Below FOLDER each component has been installed in a folder of its own, with the prefix /usr. Each gets a copyright file and
changelogs, and examples; manual pages are compressed; the .icd file goes to where libOpenCL looks, and names the driver without a folder.
"""
import datetime
import email.utils
import gzip
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

# Packages of which code is in what is built, with the headers that everything is compiled with last.
CONTAINED = ("spirv-tools", "spirv-headers", "libxsimd-dev", "nlohmann-json3-dev", "libcli11-dev", "libfmt-dev")


# Examples, by component: files below examples/.
EXAMPLES = {"program": ("*.*",), "development": ("saxpy.cl", "library/*", "observer/*"),
            "opencl": ("opencl/*",)}
# What they write beside themselves when they are run.
WRITTEN = ("blurred.png",)


def write_gzip(path: pathlib.Path, content: bytes) -> None:
    """The same bytes for the same content."""
    path.write_bytes(gzip.compress(content, 9, mtime=0))


def entries(changelog: str):
    """Version, date and points of each entry of CHANGELOG.md."""
    for match in re.finditer(r"^## (\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL):
        points = re.findall(r"^- (.*(?:\n  .*)*)", match[3], re.MULTILINE)
        yield match[1], match[2], points


def debian_changelog(changelog: str, version: str, maintainer: str) -> str:
    upstream, _, release = version.rpartition("-")
    text = ""
    for number, date, points in entries(changelog):
        when = datetime.datetime.fromisoformat(date).replace(tzinfo=datetime.timezone.utc)
        lines = "".join(textwrap.fill(" ".join(point.split()), 78, initial_indent="  * ", subsequent_indent="    ") + "\n"
                        for point in points)
        text += (f"transpire ({number}-{release}) unstable; urgency=medium\n\n{lines}\n"
                 f" -- {maintainer}  {email.utils.format_datetime(when)}\n\n")
    if not text.startswith(f"transpire ({upstream}-"):
        sys.exit(f"the first entry of CHANGELOG.md is not {upstream}")
    return text


def copyright_text(root: pathlib.Path) -> str:
    text = (root / "cmake/debian/copyright").read_text(encoding="utf-8")
    for package in CONTAINED:
        path = pathlib.Path("/usr/share/doc") / package / "copyright"
        if path.is_file():
            rule = "-" * 78
            text += f"\n{rule}\nIt contains code of {package}:\n{rule}\n\n" + path.read_text(encoding="utf-8")
    return text


def write_documents(component: pathlib.Path, package: str, root: pathlib.Path, version: str, maintainer: str) -> None:
    folder = component / "usr/share/doc" / package
    folder.mkdir(parents=True, exist_ok=True)
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    (folder / "copyright").write_text(copyright_text(root), encoding="utf-8")
    write_gzip(folder / "changelog.gz", changelog.encode())
    write_gzip(folder / "changelog.Debian.gz", debian_changelog(changelog, version, maintainer).encode())


def place_examples(component: pathlib.Path, package: str, root: pathlib.Path, names: tuple[str, ...]) -> None:
    folder = component / "usr/share/doc" / package / "examples"
    for name in names:
        for source in sorted(path for path in (root / "examples").glob(name) if path.name not in WRITTEN):
            place = folder / source.relative_to(root / "examples")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, place)


def place_icd(component: pathlib.Path) -> None:
    driver = next(component.rglob("libtranspire-opencl.so"))
    shutil.rmtree(component / "usr/etc", ignore_errors=True)
    folder = component / "etc/OpenCL/vendors"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "transpire.icd").write_text(driver.name + "\n", encoding="utf-8")


def main() -> int:
    staging, root, version, maintainer = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    for pair in sys.argv[5:]:
        name, _, package = pair.partition("=")
        component = staging / name
        write_documents(component, package, root, version, maintainer)
        place_examples(component, package, root, EXAMPLES.get(name, ()))
        for page in component.glob("usr/share/man/man*/*.[0-9]"):
            write_gzip(page.with_name(page.name + ".gz"), page.read_bytes())
            page.unlink()
        for archive in component.rglob("*.a"):
            subprocess.run(["strip", "--strip-debug", archive], check=True)
        if name == "opencl":
            place_icd(component)
        for path in component.rglob("*"):  # whatever the umask
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
    return 0


if __name__ == "__main__":
    sys.exit(main())
