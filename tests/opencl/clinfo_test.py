#!/usr/bin/env python3
"""What clinfo prints of the driver alone, against what the machine, `transpire` and clGetDeviceInfo say.

usage: clinfo_test.py TRANSPIRE DRIVER CL_HEADER

Exits with 77 (skipped) where clinfo is not installed.
"""
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from patience import PATIENCE  # noqa: E402

TRANSPIRE, DRIVER, HEADER = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
CLINFO = shutil.which("clinfo")

# What the device has none of, and clinfo prints as nothing or "(n/a)". Everything else has a value.
EMPTY = {
    "CL_DEVICE_PARTITION_AFFINITY_DOMAIN", "CL_DEVICE_AFFINITY_DOMAINS_EXT", "CL_DEVICE_BUILT_IN_KERNELS",
    "CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION",
}
NOT_APPLICABLE = {
    "Supported affinity domains", "Supported affinity domains (ext)", "Built-in kernels", "Built-in kernels with version",
}
VERSIONS = ["1.2", "2.0", "2.1", "2.2", "3.0"]


def run_clinfo(*options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """clinfo with this driver alone; complaints are output as well."""
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("TRANSPIRE_") and key != "OCL_ICD_FILENAMES"}
    environment.update(OCL_ICD_VENDORS=str(DRIVER), **variables)
    return subprocess.run([CLINFO, *options], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=PATIENCE, check=False)


def clinfo(*options: str, **variables: str) -> str:
    done = run_clinfo(*options, **variables)
    done.check_returncode()
    return done.stdout


def facts(**variables: str) -> dict[str, str]:
    """What `clinfo --raw` says of platform and device, by the API's names."""
    found = {}
    for line in clinfo("--raw", **variables).splitlines():
        match = re.match(r"(?:\[TRANSPIRE/[0*]\])?\s+([A-Z#]\w+)(?:\s+(.*))?$", line) or re.match(r"(#\w+)\s+(.*)$", line)
        if match:
            found[match.group(1)] = (match.group(2) or "").strip()
    return found


def constants() -> dict[str, int]:
    text = HEADER.read_text(encoding="utf-8")
    found = {name: 1 << int(bit) for name, bit in re.findall(r"#define (CL_\w+)\s+\(1 << (\d+)\)", text)}
    found.update((name, int(value, 0)) for name, value in re.findall(r"#define (CL_\w+)\s+(0x[0-9A-Fa-f]+|\d+)\s", text))
    return found


class Device:
    """clGetDeviceInfo, by the loader."""

    def __init__(self) -> None:
        for name in [name for name in os.environ if name.startswith("TRANSPIRE_")]:
            del os.environ[name]
        os.environ["OCL_ICD_VENDORS"] = str(DRIVER)
        self.library = ctypes.CDLL("libOpenCL.so.1")
        platform, self.device = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.library.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
        every_type = ctypes.c_ulong(0xFFFFFFFF)
        assert self.library.clGetDeviceIDs(platform, every_type, 1, ctypes.byref(self.device), None) == 0

    def bytes_of(self, name: int) -> bytes:
        size = ctypes.c_size_t()
        assert self.library.clGetDeviceInfo(self.device, name, ctypes.c_size_t(0), None, ctypes.byref(size)) == 0
        room = ctypes.create_string_buffer(max(size.value, 1))
        assert self.library.clGetDeviceInfo(self.device, name, size, room, None) == 0
        return room.raw[:size.value]


def spell(answer: bytes, value: str, names: dict[str, int]) -> str:
    """An answer of clGetDeviceInfo in the way that `value`, clinfo's, is spelled."""
    if re.search(r"\S:0x", value):  # cl_name_version
        entries = [(answer[at + 4:at + 68].split(b"\0")[0].decode(), int.from_bytes(answer[at:at + 4], "little"))
                   for at in range(0, len(answer), 68)]
        return " ".join(f"{name}:{version:#x}" for name, version in entries)
    words = [int.from_bytes(answer[at:at + 8], "little") for at in range(0, len(answer), 8)]
    if re.fullmatch(r"CL_\w+( \| CL_\w+)*", value):
        expected = [names[word] for word in value.split(" | ")]
        return value if expected == words or sum(expected) == words[0] else f"{words}"
    if re.fullmatch(r"\d+( \d+)+", value):
        return " ".join(map(str, words))
    if re.fullmatch(r"0x[0-9a-f]+|\d+", value):
        return f"{words[0]:#x}" if value.startswith("0x") else str(words[0])
    return answer.rstrip(b"\0").decode().strip()


class Clinfo(unittest.TestCase):
    def setUp(self) -> None:
        self.maxDiff = None
        self.facts = facts()

    def test_one_platform_with_one_device(self) -> None:
        self.assertEqual(self.facts["#PLATFORMS"], "1")
        self.assertEqual(self.facts["#DEVICES"], "1")
        self.assertEqual(self.facts["CL_PLATFORM_NAME"], "Transpire")
        self.assertEqual(self.facts["CL_PLATFORM_ICD_SUFFIX_KHR"], "TRANSPIRE")
        self.assertEqual(self.facts["CL_DEVICE_TYPE"], "CL_DEVICE_TYPE_CPU")
        self.assertEqual(self.facts["CL_DEVICE_PROFILE"], "FULL_PROFILE")

    def test_every_query_is_answered(self) -> None:
        self.assertGreater(len(self.facts), 90)
        self.assertEqual({name for name, value in self.facts.items() if not value}, EMPTY)
        for version in VERSIONS:
            for options in ([], ["--raw"]):
                text = clinfo(*options, TRANSPIRE_CL_VERSION=version)
                self.assertNotRegex(text, r"CL_INVALID|CL_OUT_OF|[Uu]nknown|<[^>]*>|(?i:error)(?!_CORRECTION| Correction)")
            left_out = {line.split("  (n/a)")[0].strip() for line in clinfo(TRANSPIRE_CL_VERSION=version).splitlines()
                        if "(n/a)" in line}
            self.assertLessEqual(left_out, NOT_APPLICABLE, version)

    def test_versions(self) -> None:
        first = subprocess.run([TRANSPIRE, "version"], capture_output=True, text=True, check=True).stdout.split()[1]
        self.assertEqual(self.facts["CL_DRIVER_VERSION"], first)
        self.assertEqual(self.facts["CL_PLATFORM_VERSION"], f"OpenCL 3.0 Transpire {first}")
        for version in VERSIONS:
            found = facts(TRANSPIRE_CL_VERSION=version)
            major, minor = map(int, version.split("."))
            self.assertEqual(found["CL_PLATFORM_VERSION"], f"OpenCL {version} Transpire {first}")
            self.assertEqual(found["CL_DEVICE_VERSION"], f"OpenCL {version} Transpire")
            language = "2.0" if major == 2 else version
            self.assertEqual(found["CL_DEVICE_OPENCL_C_VERSION"], f"OpenCL C {language} Transpire")
            number = found.get("CL_DEVICE_NUMERIC_VERSION", found.get("CL_DEVICE_NUMERIC_VERSION_KHR"))
            self.assertEqual(int(number, 16), major << 22 | minor << 12)

    def test_words_that_mean_nothing(self) -> None:
        for name, value in [("VERSION", "4.0"), ("CHECK", "ub,rounds"), ("MATH", "precise"), ("ENFORCE_FLAGS", "yes")]:
            text = run_clinfo("--raw", **{f"TRANSPIRE_CL_{name}": value}).stdout
            self.assertIn("error[TSP-C0033]", text)
            self.assertIn(f"'{value.split(',')[-1]}' in TRANSPIRE_CL_{name} means nothing", text)
            self.assertNotIn("CL_DEVICE_NAME", text)

    def test_extensions(self) -> None:
        for owner in ["PLATFORM", "DEVICE"]:
            names = self.facts[f"CL_{owner}_EXTENSIONS"].split()
            self.assertEqual(len(names), len(set(names)))
            self.assertLessEqual({"cl_khr_icd", "cl_khr_fp16", "cl_khr_fp64", "cl_khr_il_program", "cl_khr_expect_assume",
                                  "cl_khr_byte_addressable_store", "cl_ext_device_fission"}, set(names))
            for missing in ["pipe", "_gl_", "egl", "d3d"]:
                self.assertNotIn(missing, " ".join(names))
            entries = self.facts[f"CL_{owner}_EXTENSIONS_WITH_VERSION"].split()
            self.assertEqual([entry.split(":")[0] for entry in entries], names)
            numbers = dict(entry.split(":") for entry in entries)
            self.assertEqual(numbers.pop("cl_khr_integer_dot_product"), "0x800000")  # 2.0.0
            self.assertEqual(set(numbers.values()), {"0x400000"})  # 1.0.0

    def test_the_machine(self) -> None:
        isas = subprocess.run([TRANSPIRE, "version"], capture_output=True, text=True, check=True).stdout.split()
        self.assertIn(f"({isas[-1]})", self.facts["CL_DEVICE_NAME"])
        self.assertEqual(int(self.facts["CL_DEVICE_MAX_COMPUTE_UNITS"]), len(os.sched_getaffinity(0)))
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.assertEqual(int(self.facts["CL_DEVICE_GLOBAL_MEM_SIZE"]), memory)
        self.assertLessEqual(int(self.facts["CL_DEVICE_MAX_MEM_ALLOC_SIZE"]), memory)
        self.assertGreaterEqual(int(self.facts["CL_DEVICE_MAX_MEM_ALLOC_SIZE"]), memory // 4)
        compilers = all(shutil.which(name) for name in ["clang-15", "llvm-spirv-15"])
        self.assertEqual(self.facts["CL_DEVICE_COMPILER_AVAILABLE"], "CL_TRUE" if compilers else "CL_FALSE")
        self.assertEqual(int(self.facts["CL_DEVICE_ADDRESS_BITS"]), 64)
        self.assertEqual(self.facts["CL_DEVICE_IMAGE_SUPPORT"], "CL_TRUE")

    def test_processors_that_the_process_may_run_on(self) -> None:
        usable = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(usable)})
        try:
            self.assertEqual(facts()["CL_DEVICE_MAX_COMPUTE_UNITS"], "1")
        finally:
            os.sched_setaffinity(0, usable)

    def test_a_device_that_the_environment_asks_for(self) -> None:
        version = subprocess.run([TRANSPIRE, "version"], capture_output=True, text=True, check=True).stdout
        worst = version.rpartition(":")[2].split()[0]
        found = facts(TRANSPIRE_THREADS="3", TRANSPIRE_ISA=worst)
        self.assertEqual(found["CL_DEVICE_MAX_COMPUTE_UNITS"], "3")
        self.assertEqual(found["CL_DEVICE_PARTITION_MAX_SUB_DEVICES"], "3")
        self.assertIn(f"({worst})", found["CL_DEVICE_NAME"])

    def test_it_is_what_clGetDeviceInfo_says(self) -> None:
        device, names, compared = Device(), constants(), 0
        for name, value in self.facts.items():
            if not name.startswith("CL_DEVICE_") or name not in names or name in EMPTY:
                continue
            self.assertEqual(spell(device.bytes_of(names[name]), value, names), value, name)
            compared += 1
        self.assertGreater(compared, 75)


if __name__ == "__main__":
    if CLINFO is None:
        print("skipped: clinfo is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
