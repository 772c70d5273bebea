#!/usr/bin/env python3
"""Unpacks the Debian packages into a folder and uses what they have from there, as an ordinary user.

usage: installed_test.py ROOT PACKAGES

The program runs README.md's commands, those of its blocks and those that its text names, in a folder that has the packages'
examples alone; examples/library is built and run
with the development package; clinfo and `transpire cl` find the driver. The command of Containerfile that installs the
packages is tried without its effects.
"""
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from command import expect, output  # noqa: E402
from patience import PATIENCE  # noqa: E402

ROOT, PACKAGES = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
# The commands that README.md names within its text, by what stands there: what is run, and what it must print.
NAMED = {
    "explain TSP-R0021": ("explain TSP-R0021", "TSP-R0021"),
    "info FILE": ("info examples/saxpy.cl", "saxpy"),
    "test FOLDER": ("test examples/heat.launch examples/saxpy.launch", r"2 of 2 tests passed"),
    "compile FILE.cl -o FILE.spv": ("compile examples/saxpy.cl -o saxpy.spv", ""),
    "fuzz FILE": ("fuzz examples/saxpy.launch --runs 3", "5 orders of work-items.*: no difference"),
    "validate": ("validate saxpy.spv", "saxpy.spv: valid for opencl"),
    "cl -- PROGRAM": ("cl -- clinfo -l", "Platform #0: Transpire"),
    "help --man": ("help --man", r"\.TH"),
    "completion SHELL": ("completion bash", "complete "),
    "version": ("version", r"\Atranspire \d+\.\d+\.\d+\n"),
    "run examples/blur.launch": ("run examples/blur.launch", r"gaussian: 320x200 work-items"),
    "run examples/quicksort.launch": ("run examples/quicksort.launch", "quicksort: 1 work-item"),
    "ulp": ("ulp exp --samples 1000", "exp"),
}
SAXPY = r"y\[0\.\.2\] = 6 7 8, 1024 work-items\n"


class User:
    """Runs commands as somebody who is not root, with a home of their own."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.options: dict = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.home, nobody.pw_uid, nobody.pw_gid)
            self.options = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}

    def run(self, *command: object, **variables: str) -> str:
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(self.home), **variables}
        return output(*command, cwd=self.home, env=environment, timeout=PATIENCE, **self.options)


def follow_readme(user: User, installed: pathlib.Path, folder: pathlib.Path) -> None:
    """README.md's commands beside the packages' examples, with nothing of the source or the build."""
    examples = shutil.copytree(installed / "usr/share/doc/transpire/examples", user.home / "examples")
    if "user" in user.options:  # one of them writes a picture beside itself
        os.chown(examples, user.options["user"], user.options["group"])
    readme = folder / "page"
    readme.mkdir()
    for name in ("README.md", "tests/docs_test.py", "tests/transcript.py"):
        shutil.copy(ROOT / name, readme)
    shutil.copytree(user.home / "examples", readme / "examples")
    expect(user.run("python3", readme / "docs_test.py", readme, installed / "usr/bin"), r"\A[2-9] passed, 0 failed\n")
    text = re.sub(r"```.*?```", "", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    named = list(dict.fromkeys(re.findall(r"(?:`|^    )transpire ([^`\n]+)", text, re.MULTILINE)))
    if unknown := set(named) - NAMED.keys():
        sys.exit(f"README.md names commands that are not tried here: {sorted(unknown)}")
    for name in named:
        command, printed = NAMED[name]
        if "clinfo" not in command or shutil.which("clinfo"):
            expect(user.run(installed / "usr/bin/transpire", *command.split()), printed)


def use_library(user: User, installed: pathlib.Path) -> None:
    """examples/library by its CMake package, and the C example by pkg-config."""
    examples = installed / "usr/share/doc/libtranspire-dev/examples"
    build = user.home / "library"
    user.run("cmake", "-S", examples / "library", "-B", build, f"-DCMAKE_PREFIX_PATH={installed}/usr")
    user.run("cmake", "--build", build)
    expect(user.run("ctest", "--test-dir", build, "--verbose"), SAXPY, r"100% tests passed.* out of 5")
    pc_file = next(installed.rglob("transpire.pc"))
    flags = user.run("pkg-config", "--cflags", "--libs", "transpire", PKG_CONFIG_PATH=str(pc_file.parent)).split()
    user.run("cc", examples / "library/saxpy.c", *flags, "-o", "saxpy")
    libraries = str(next(installed.rglob("libtranspire.so.?")).parent)
    expect(user.run("./saxpy", examples / "saxpy.cl", LD_LIBRARY_PATH=libraries), SAXPY)


def use_driver(user: User, installed: pathlib.Path) -> None:
    if shutil.which("clinfo") is None:
        print("clinfo is not installed: the driver was not loaded")
        return
    driver = next(installed.rglob("libtranspire-opencl.so"))
    listed = user.run("clinfo", OCL_ICD_VENDORS=str(installed / "etc/OpenCL/vendors"), LD_LIBRARY_PATH=str(driver.parent))
    expect(listed, r"Number of platforms +1\n", r"Platform Name +Transpire\n", r"Number of devices +1\n")
    expect(user.run(installed / "usr/bin/transpire", "cl", "--", "clinfo", "-l"), r"\APlatform #0: Transpire\n")


def simulate_installation(user: User) -> None:
    """What Containerfile does with the packages, as far as an ordinary user can: their dependencies can be had."""
    if shutil.which("apt-get") is None:
        return
    command = re.search(r"apt-get install -y (\S+)", (ROOT / "Containerfile").read_text(encoding="utf-8"))
    pattern = pathlib.PurePosixPath(command[1]).name
    debs = sorted(PACKAGES.glob(pattern))
    place = user.home / "packages"
    place.mkdir()
    for deb in debs:
        shutil.copy(deb, place)
    # Without lists of packages, recommended ones are unknown, which apt-get takes as it is.
    simulated = user.run("apt-get", "install", "-y", "--simulate", *sorted(place.glob("*.deb")))
    for deb in debs:
        expect(simulated, rf"(?m)^Inst {re.escape(deb.name.split('_')[0])} ")


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="transpire-packages-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        installed = folder / "root"
        for deb in sorted(PACKAGES.glob("*.deb")):
            subprocess.run(["dpkg-deb", "-x", deb, installed], check=True)
        user = User(folder)
        follow_readme(user, installed, folder)
        use_library(user, installed)
        use_driver(user, installed)
        simulate_installation(user)
    print("the packages work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
