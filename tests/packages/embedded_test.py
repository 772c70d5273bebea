#!/usr/bin/env python3
"""As a part of another project, by add_subdirectory and by FetchContent, Transpire is its library and nothing more.

usage: embedded_test.py ROOT FOLDER CMAKE

Only configures: the rules that the build then has say what would be built.
"""
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from command import output  # noqa: E402

ROOT, FOLDER, CMAKE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), sys.argv[3]
WAYS = {
    "add_subdirectory": f"add_subdirectory({ROOT} transpire)",
    "FetchContent": f"""include(FetchContent)
FetchContent_Declare(transpire SOURCE_DIR {ROOT})
FetchContent_MakeAvailable(transpire)""",
}
# What the parent notes of itself before and after.
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES C CXX)
function(note file)
  set(text)
  foreach(name CMAKE_CXX_STANDARD CMAKE_C_STANDARD CMAKE_CXX_EXTENSIONS CMAKE_POSITION_INDEPENDENT_CODE
          CMAKE_CXX_VISIBILITY_PRESET CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_RELEASE CMAKE_C_FLAGS CMAKE_MODULE_PATH
          CMAKE_EXPORT_COMPILE_COMMANDS CMAKE_BUILD_TYPE CMAKE_FIND_PACKAGE_TARGETS_GLOBAL BUILD_TESTING)
    string(APPEND text "${name}=${${name}}\\n")
  endforeach()
  foreach(name COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_OPTIONS)
    get_property(value DIRECTORY PROPERTY ${name})
    string(APPEND text "${name}=${value}\\n")
  endforeach()
  file(WRITE ${CMAKE_BINARY_DIR}/${file} "${text}")
endfunction()
function(list_targets folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_property(type TARGET ${target} PROPERTY TYPE)
    file(APPEND ${CMAKE_BINARY_DIR}/targets "${target} ${type}\\n")
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below ${folders})
    list_targets(${below})
  endforeach()
endfunction()
get_property(cached DIRECTORY PROPERTY CACHE_VARIABLES)
note(before)
@WAY@
note(after)
get_property(cached_after DIRECTORY PROPERTY CACHE_VARIABLES)
list(REMOVE_ITEM cached_after ${cached})
list(JOIN cached_after "\\n" text)
file(WRITE ${CMAKE_BINARY_DIR}/cached "${text}")
list_targets(${CMAKE_CURRENT_SOURCE_DIR})
add_executable(program main.cpp)
target_link_libraries(program PRIVATE transpire::transpire)
add_executable(with_static main.cpp)
target_link_libraries(with_static PRIVATE transpire::static)
"""
# Cache variables that are not the project's own: found packages and programs of CMake's modules.
FOREIGN = re.compile(r"(fmt|xsimd|nlohmann_json|SPIRV-Tools(-opt|-link)?|FETCHCONTENT\w*|transpire)(_\w+)?"
                     r"|FIND_PACKAGE_MESSAGE_DETAILS_\w+|_?Python3_\w+|CMAKE_HAVE_\w+|CMAKE_(INSTALL|PROJECT_VERSION)\w*")
MAIN = """#include <transpire/transpire.hpp>
#include <transpire/version.h>
int main() { return transpire::version() == TRANSPIRE_VERSION ? 0 : 1; }
"""


def look(build: pathlib.Path) -> list[str]:
    wrong = []
    if (build / "before").read_text() != (build / "after").read_text():
        wrong.append(f"the parent is not what it was:\n{(build / 'before').read_text()}{(build / 'after').read_text()}")
    targets = dict(line.split() for line in (build / "targets").read_text().splitlines())
    if "transpire_runtime" not in targets or "transpire_client" not in targets:
        wrong.append(f"the library is missing: {sorted(targets)}")
    for name, kind in targets.items():
        if not name.startswith("transpire_") or kind not in ("STATIC_LIBRARY", "OBJECT_LIBRARY", "INTERFACE_LIBRARY") \
                or re.search("test|bench|opencl|cli$|launch|golden|fuzz", name):
            wrong.append(f"there is a target {name}, {kind}")
    sets = [name for name in targets if name.startswith("transpire_isa_")]
    if len(sets) != 1:
        wrong.append(f"expected the handlers of this machine's instruction set alone, found {sets}")
    for name in (build / "cached").read_text().split("\n"):
        if not name.startswith("TRANSPIRE_") and not FOREIGN.fullmatch(name):
            wrong.append(f"there is a cache variable {name}")
    if "Total Tests: 0" not in output("ctest", "--test-dir", build, "-N"):
        wrong.append("there are tests")
    for program in ("program", "with_static"):
        commands = output("ninja", "-C", build, "-t", "commands", program)
        link = commands.rstrip().split("\n")[-1]
        for library in ("libtranspire_runtime.a", "libtranspire_vm_exec.a", "libtranspire_c_api.a", "SPIRV-Tools"):
            if library not in link:
                wrong.append(f"{program} is linked without {library}: {link}")
        own = next(line for line in commands.split("\n") if f"{program}.dir/main.cpp.o" in line)
        for option in ("-Werror", "-Wall", "-ffp-contract", "-fPIC", "-fvisibility"):
            if option in own:
                wrong.append(f"{program} is compiled with {option}: {own}")
        source = own.split(" -o ")[0] + f" -fsyntax-only -c {build.parent}/main.cpp"
        output("sh", "-c", f"cd {build} && {source}")
    if "-Werror" in commands:
        wrong.append("warnings are errors in somebody else's build")
    return wrong


def check_installation(build: pathlib.Path) -> list[str]:
    """Nothing of Transpire is installed with the parent."""
    output(CMAKE, "--install", build, "--prefix", build / "installed")
    found = [str(path) for path in (build / "installed").rglob("*")]
    return [f"the parent installs {found}"] if found else []


def main() -> int:
    wrong = []
    for way, text in WAYS.items():
        folder = FOLDER / way
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "CMakeLists.txt").write_text(PROJECT.replace("@WAY@", text), encoding="utf-8")
        (folder / "main.cpp").write_text(MAIN, encoding="utf-8")
        output(CMAKE, "-G", "Ninja", "-S", folder, "-B", folder / "build", "-DCMAKE_BUILD_TYPE=Release",
               "-DFETCHCONTENT_FULLY_DISCONNECTED=ON")
        wrong += [f"{way}: {line}" for line in look(folder / "build") + check_installation(folder / "build")]
    print("\n".join(wrong))
    print(f"{len(WAYS)} ways, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
