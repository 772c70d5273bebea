#!/usr/bin/env python3
"""Installs the build into a folder of its own and uses it from there as others do: the C example by the CMake
package, then by pkg-config, with the shared and with the static library. Also follows docs/library.md, which
builds examples/library.

    install_test.py ROOT BUILD CMAKE

Everything must have been built. Nothing of the build or the source's headers may be needed afterwards, and the
installation may be moved.
"""
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from command import expect, output  # noqa: E402

SAXPY = r"saxpy\(global float\* y, global (const )?float\* x, float a\)\ny\[0\.\.2\] = 6 7 8, 1024 work-items\n"
OVERRUN = r"error\[TSP-R0021\]: 4-byte store past the end of buffer 'y'\n"
WARNINGS = "-Wall -Wextra -Werror"
DIFFERENCE = r"out: 1 of 512 elements differ by more than 4 ulp\n\s+out\[6\]: expected 0\.\d+, found 0\.\d+ \(\d+ ulp\)\n"


def run(*command: object, **environment: str) -> str:
    return output(*command, env=dict(os.environ, **environment))


def install(root: pathlib.Path, build: pathlib.Path, cmake: str, folder: pathlib.Path) -> pathlib.Path:
    """Into one folder, then moved to another."""
    run(cmake, "--install", build, "--prefix", folder / "first")
    prefix = folder / "moved"
    shutil.move(folder / "first", prefix)
    headers = prefix / "include/transpire"
    for header in sorted((root / "include/transpire").iterdir()):
        if not (headers / header.name).is_file():
            sys.exit(f"{header.name} is not installed")
    for name in ("transpire.h", "transpire.hpp", "setting_table.hpp", "launch_settings.def", "limit_table.hpp",
                 "launch_limits.def"):
        if not (headers / name).is_file():
            sys.exit(f"there is no {name}")
    links = sorted(path.name for path in prefix.rglob("libtranspire.so*"))
    if len(links) != 3 or not re.fullmatch(r"libtranspire\.so\.\d+", links[1]):
        sys.exit(f"expected libtranspire.so, with its version and in full, found {links}")
    return prefix


def compile_headers(prefix: pathlib.Path, folder: pathlib.Path) -> None:
    """Each stands alone, with nothing but what is installed."""
    include = prefix / "include"
    for header in sorted((include / "transpire").glob("*.h*")):
        for compiler, standard, source in (("cc", "c11", "header.c"), ("c++", "c++20", "header.cpp")):
            if header.suffix == ".h" or source == "header.cpp":
                (folder / source).write_text(f'#include "transpire/{header.name}"\n', encoding="utf-8")
                run(compiler, f"-std={standard}", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{include}",
                    folder / source)


def use_from_c_alone(root: pathlib.Path, cmake: str, prefix: pathlib.Path, folder: pathlib.Path) -> None:
    """A project without C++, and one that wants a version that there is not."""
    project = folder / "c_alone"
    project.mkdir()
    for version, found in ((0.2, True), (0.1, False)):
        (project / "CMakeLists.txt").write_text(f"""
            cmake_minimum_required(VERSION 3.25)
            project(c_alone LANGUAGES C)
            find_package(transpire {version} {"REQUIRED" if found else "QUIET"})
            if(transpire_FOUND)
              add_executable(saxpy {root}/examples/library/saxpy.c)
              target_link_libraries(saxpy PRIVATE transpire::transpire)
            endif()""", encoding="utf-8")
        build = project / f"build-{version}"
        run(cmake, "-G", "Ninja", "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
        run(cmake, "--build", build)
        if (build / "saxpy").exists() != found:
            sys.exit(f"version {version} is {'not found' if found else 'found'}")
        if found:
            expect(run(build / "saxpy", root / "examples/saxpy.cl"), SAXPY, OVERRUN)


def use_pkg_config(root: pathlib.Path, prefix: pathlib.Path, folder: pathlib.Path) -> None:
    pc_file = next(prefix.rglob("transpire.pc"))
    libraries = str(pc_file.parent.parent)
    environment = {"PKG_CONFIG_PATH": str(pc_file.parent)}
    source = root / "examples/library/saxpy.c"
    for static in (False, True):
        flags = run("pkg-config", "--cflags", "--libs", *["--static"] * static, "transpire", **environment)
        if static:
            flags = flags.replace("-ltranspire", "-l:libtranspire.a")
        program = folder / ("saxpy_static" if static else "saxpy_shared")
        run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", source, *shlex.split(flags), "-o", program)
        found = {} if static else {"LD_LIBRARY_PATH": libraries}
        expect(run(program, root / "examples/saxpy.cl", **found), SAXPY, OVERRUN)
        needed = run("readelf", "-d", program)
        if static == ("libtranspire.so" in needed):
            sys.exit(f"the wrong library was linked:\n{needed}")


def follow_documentation(root: pathlib.Path, build: pathlib.Path, folder: pathlib.Path) -> None:
    """The commands of docs/library.md, with a home of their own; and its code must be that of the examples."""
    page = (root / "docs/library.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(sh|c|cpp|cmake)\n(.*?)```", page, re.DOTALL)
    home = folder / "home"
    home.mkdir()
    printed = ""
    for language, block in blocks:
        if language == "sh":
            commands = block.replace("build/release", shlex.quote(str(build)))
            printed += run("bash", "-euc", f"cd {shlex.quote(str(root))}\n{commands}", HOME=str(home),
                           CFLAGS=WARNINGS, CXXFLAGS=WARNINGS)
    expect(printed, *[f"(?s)({SAXPY}.*){{2}}", OVERRUN, "100% tests passed"])
    verbose = run("ctest", "--test-dir", home / "example", "--verbose")
    expect(re.sub(r"(?m)^\d+: ", "", verbose), SAXPY, OVERRUN, DIFFERENCE, "100% tests passed")
    examples = "".join(path.read_text(encoding="utf-8") for folder in ("library", "observer")
                       for path in (root / "examples" / folder).iterdir())
    for line in (line for language, block in blocks if language != "sh" for line in block.splitlines()):
        if line != "..." and line not in examples.splitlines():
            sys.exit(f"docs/library.md shows a line that no example has: {line}")


def main() -> int:
    root, build, cmake = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory(prefix="transpire-install-") as name:
        folder = pathlib.Path(name)
        prefix = install(root, build, cmake, folder)
        expect(run(prefix / "bin/transpire", "version"), "transpire")
        compile_headers(prefix, folder)
        use_from_c_alone(root, cmake, prefix, folder)
        use_pkg_config(root, prefix, folder)
        follow_documentation(root, build, folder)
    print("the installed package works")
    return 0


if __name__ == "__main__":
    sys.exit(main())
