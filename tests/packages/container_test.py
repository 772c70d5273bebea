#!/usr/bin/env python3
"""Containerfile, as far as it can be told without making the image.

usage: container_test.py ROOT

Every command that it runs is a script of the repository with an option that the script knows, or apt-get's installation of
the packages, which packages_installed tries; what it copies is there; what it starts is a program of the packages.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()


def instructions(text: str) -> list[tuple[str, str]]:
    lines = re.sub(r"(?m)^#.*\n", "", text).replace("\\\n", " ").splitlines()
    return [(line.split(None, 1)[0], " ".join(line.split(None, 1)[1].split())) for line in lines if line.strip()]


def wrong_command(command: str) -> str | None:
    script, _, option = command.partition(" ")
    path = ROOT / script
    if not script.startswith("scripts/") or not path.is_file() or not path.stat().st_mode & 0o100:
        return f"there is no script {script}"
    if option and f" {option}) " not in path.read_text(encoding="utf-8"):
        return f"{script} has no option {option}"
    return None


def main() -> int:
    found = instructions((ROOT / "Containerfile").read_text(encoding="utf-8"))
    names = [name for name, _ in found]
    stages = [rest for name, rest in found if name == "FROM"]
    runs = [rest for name, rest in found if name == "RUN"]
    wrong = []
    for name in names:
        if name not in ("FROM", "WORKDIR", "COPY", "RUN", "USER", "ENTRYPOINT"):
            wrong.append(f"{name} is no instruction")
    if len(stages) != 2 or any(not re.fullmatch(r"debian:12-slim( AS build)?", stage) for stage in stages):
        wrong.append(f"the stages are {stages}")
    for run in runs:
        if subprocess.run(["sh", "-nc", run], check=False).returncode != 0:
            wrong.append(f"the shell does not read: {run}")
    wrong += [fault for run in runs[:-1] if (fault := wrong_command(run))]
    install = re.fullmatch(r"apt-get update && apt-get install -y (/\S+)/\*\.deb && rm -rf (.*)", runs[-1])
    copied = next((rest.split() for name, rest in found if name == "COPY" and rest.startswith("--from=build ")), None)
    workdir = next(rest for name, rest in found if name == "WORKDIR")
    script = (ROOT / "scripts/package").read_text(encoding="utf-8")
    if install is None or copied is None or copied[2] != install[1] or install[1] not in install[2].split():
        wrong.append(f"the packages are not where they are installed from: {copied}, {runs[-1]}")
    elif not copied[1].startswith(workdir + "/") or copied[1][len(workdir) + 1:] not in script:
        wrong.append(f"scripts/package does not put packages into {copied[1]}")
    if [rest for name, rest in found if name == "ENTRYPOINT"] != ['["transpire"]']:
        wrong.append("it does not start transpire")
    print("\n".join(wrong))
    print(f"{len(found)} instructions, {len(runs)} commands, {len(wrong)} wrong")
    return 1 if wrong or len(runs) != 3 else 0


if __name__ == "__main__":
    sys.exit(main())
