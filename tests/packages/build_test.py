#!/usr/bin/env python3
"""Makes the Debian packages of a build that is built, and looks at what they say of themselves.

usage: build_test.py ROOT BUILD

Exits with 77 (skipped) where a program is missing that packages are made with.
"""
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from command import output  # noqa: E402

ROOT, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
PACKAGES = {"transpire", r"libtranspire\d+", "libtranspire-dev", "transpire-opencl-icd"}
# By package, what a field must hold, as regular expressions; VERSION is the packages' own.
FIELDS = {
    "transpire": {"Depends": [r"libc6 \(>=", r"libstdc\+\+6", "libfmt", "libpng"], "Recommends": ["clang-15", "llvm-spirv-15"],
                  "Section": ["^devel$"]},
    r"libtranspire\d+": {"Depends": [r"libc6 \(>=", r"libstdc\+\+6"], "Provides": [r"^libtranspire \(= VERSION\)"],
                         "Section": ["^libs$"]},
    "libtranspire-dev": {"Depends": [r"^libtranspire\d+ \(= VERSION\)$"], "Section": ["^libdevel$"],
                         "Recommends": ["libfmt-dev", "spirv-tools"]},
    "transpire-opencl-icd": {"Depends": [r"^(?!.*libpng).*libc6 \(>="], "Provides": ["^opencl-icd$"],
                             "Recommends": ["ocl-icd-libopencl1", "clang-15", "llvm-spirv-15"]},
}
# By package, files that it must have, and of the others none may.
FILES = {
    "transpire": {r"/usr/bin/transpire$", r"/man1/transpire\.1\.gz$", "/bash-completion/completions/transpire$",
                  "/zsh/site-functions/_transpire$", r"/vendor_completions\.d/transpire\.fish$", r"/launch\.schema\.json$"},
    r"libtranspire\d+": {r"/libtranspire\.so\.\d+$", r"/libtranspire\.so\.\d+\.\d+\.\d+\.\d+$"},
    "libtranspire-dev": {r"/libtranspire\.so$", r"/libtranspire\.a$", r"/transpire/transpire\.h$", r"/transpire/version\.h$",
                         r"/transpire-config\.cmake$", r"/pkgconfig/transpire\.pc$"},
    "transpire-opencl-icd": {r"/libtranspire-opencl\.so$", r"^\./etc/OpenCL/vendors/transpire\.icd$"},
}


def fields_of(deb: pathlib.Path) -> dict[str, str]:
    text = output("dpkg-deb", "-f", deb)
    return {name: " ".join(value.split()) for name, value in re.findall(r"^([\w-]+): (.*(?:\n .*)*)", text, re.MULTILINE)}


def look(deb: pathlib.Path, kind: str, all_files: dict[str, list[str]]) -> list[str]:
    fields = fields_of(deb)
    wrong = []
    for name, patterns in {"Maintainer": ["<.+@.+>$"], "Description": ["."], **FIELDS[kind]}.items():
        for pattern in patterns:
            if not re.search(pattern.replace("VERSION", re.escape(fields["Version"])), fields.get(name, "")):
                wrong.append(f"{deb.name}: {name} is '{fields.get(name)}', expected {pattern}")
    for owner, patterns in FILES.items():
        for pattern in patterns:
            found = [path for path in all_files[kind] if re.search(pattern, path)]
            if bool(found) != (owner == kind):
                wrong.append(f"{deb.name}: {found or 'no file'} for {pattern}, which belongs to {owner}")
    for name in ("copyright", "changelog.gz", "changelog.Debian.gz"):
        if f"./usr/share/doc/{fields['Package']}/{name}" not in all_files[kind]:
            wrong.append(f"{deb.name}: no {name}")
    return wrong


def main() -> int:
    missing = [name for name in ("cpack", "dpkg-deb", "dpkg-shlibdeps", "file", "strip") if shutil.which(name) is None]
    if missing:
        print(f"skipped: there is no {', '.join(missing)}")
        return 77
    shutil.rmtree(BUILD / "packages", ignore_errors=True)
    output(ROOT / "scripts/package", BUILD, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")  # which is quicker than xz
    debs = sorted((BUILD / "packages").glob("*.deb"))
    kinds = {kind: [deb for deb in debs if re.fullmatch(kind, deb.name.split("_")[0])] for kind in PACKAGES}
    if len(debs) != len(PACKAGES) or any(len(found) != 1 for found in kinds.values()):
        sys.exit(f"expected a package for each of {sorted(PACKAGES)}, found {[deb.name for deb in debs]}")
    all_files = {kind: [line.split()[5] for line in output("dpkg-deb", "-c", found[0]).splitlines()]
                 for kind, found in kinds.items()}
    wrong = [line for kind, found in kinds.items() for line in look(found[0], kind, all_files)]
    print("\n".join([*wrong, *(deb.name for deb in debs)]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
