#!/usr/bin/env python3
"""Every function that clang's header declares for what the driver announces builds and is not refused.

usage: builtins_test.py [STANDARD...]

Without a standard: of all of them (STANDARDS). The driver is what OCL_ICD_VENDORS names. Exits with 77 (skipped) where clang-15 or its header is not installed.
"""
import ctypes
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUILD_LOG = 0x1183
EXTENSIONS = """cl_khr_fp16 cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_extended_bit_ops
cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics
cl_khr_local_int32_extended_atomics cl_intel_subgroups cl_intel_subgroups_short __opencl_c_fp64 __opencl_c_int64
__opencl_c_generic_address_space __opencl_c_atomic_order_acq_rel __opencl_c_subgroups cl_khr_3d_image_writes
cl_khr_depth_images cl_khr_mipmap_image cl_khr_mipmap_image_writes __opencl_c_images __opencl_c_3d_image_writes
__opencl_c_read_write_images""".split()
MACROS = """cl_khr_extended_bit_ops cl_khr_subgroup_ballot cl_khr_subgroup_extended_types cl_khr_subgroup_shuffle
cl_khr_subgroup_shuffle_relative cl_khr_subgroup_clustered_reduce cl_khr_subgroup_non_uniform_arithmetic
cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_rotate __opencl_c_integer_dot_product_input_4x8bit
__opencl_c_integer_dot_product_input_4x8bit_packed""".split()
STANDARDS = {"CL1.2": 1500, "CL2.0": 1950, "CL3.0": 2450}  # and how many functions there are at least
NAMES = re.compile(r"sub_group|^work_group_|^(dot|bitfield|bit_reverse)|^atomic_|^async_|^wait_group_events|_image")
# What the translator cannot: halves are not announced to be added; comparing floating-point numbers is a defect of it.
TRANSLATOR = re.compile(r"half atomic_fetch_(add|sub)|compare_exchange.*(float|double)")
# Not of ours: blocks of images, motion estimation. Nor of the specification's: levels of read-write images, which clang
# itself, without its header, does not declare either.
OTHERS = re.compile(r"sub_group.*image|_avc_|read_write image\w+, ?sampler_t|write_image\w+\((__)?read_write [^,]+, ?int\d?, ?int,")


def header_folder() -> pathlib.Path:
    found = subprocess.run(["clang-15", "-print-resource-dir"], capture_output=True, text=True, check=True).stdout
    return pathlib.Path(found.strip()) / "include"


def declarations(standard: str) -> list[tuple[str, str, list[str]]]:
    """Type, name and parameters of the functions that clang's header declares."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "all.cl"
        source.write_text('#include "opencl-c.h"\n', encoding="utf-8")
        text = subprocess.run(
            ["clang-15", "-x", "cl", "-target", "spir64-unknown-unknown", "-E", "-P", f"-cl-std={standard}", "-cl-no-stdinc",
             f"-I{header_folder()}", "-Xclang", "-cl-ext=-all" + "".join(f",+{name}" for name in EXTENSIONS),
             *(f"-D{name}=1" for name in MACROS), source], capture_output=True, text=True, check=True).stdout
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    found = []
    for declaration in text.split(";"):
        declaration = " ".join(re.sub(r"__attribute__\(\(.*?\)\)(?!\))", " ", declaration).split())
        match = re.fullmatch(r"([\w ]+?) (\w+) ?\((.*)\)", declaration)
        if not match or not NAMES.search(match[2]) or OTHERS.search(declaration) or TRANSLATOR.search(declaration):
            continue
        parameters = [] if match[3].strip() in ("", "void") else match[3].split(",")
        found.append((match[1].replace("extern ", ""), match[2], parameters))
    return found


def opaque(parameter: str) -> str:
    """The type of an image or a sampler, which only a kernel's parameter gives; nothing of others."""
    match = re.match(r"\s*((?:(?:__)?(?:read_only|write_only|read_write) )?(?:image\w+_t|sampler_t))\b", parameter)
    return match[1] if match else ""


def argument(name: str, number: int, parameter: str) -> tuple[str, str]:
    """Something to hand in, and what must be declared before."""
    if opaque(parameter):
        return f"p{number}", ""
    words = parameter.replace("*", " * ").split()
    if "*" in words:
        kind = " ".join(word for word in words[:words.index("*")]
                        if word not in ("volatile", "const", "__global", "__local", "__private"))
        if "__local" in words or "__private" in words:
            space = "__local " if "__local" in words else ""
            return f"m{number}", f"{space}{kind} m{number}[64]; "
        return f"(__global {kind}*)b", ""
    kind = next(word for word in words if word != "const")
    if kind == "memory_order":
        order = "acquire" if "load" in name else "release" if "store" in name else "acq_rel"
        return f"memory_order_{order}", ""
    if kind == "memory_scope":
        return "memory_scope_sub_group" if "sub_group" in name else "memory_scope_work_group", ""
    if kind == "cl_mem_fence_flags":
        return "CLK_LOCAL_MEM_FENCE", ""
    constant = ("clustered_reduce" in name and number == 1) or ("clustered_rotate" in name and number == 2)
    return ("8" if constant else f"((__global {kind}*)b)[i]"), ""


def kernel(number: int, kind: str, name: str, parameters: list[str]) -> str:
    made = [argument(name, n, parameter) for n, parameter in enumerate(parameters)]
    call = f"{name}({', '.join(text for text, _ in made)})"
    if kind == "event_t":
        call = f"event_t e = {call}; wait_group_events(1, &e)"
    elif kind != "void":
        call = f"((__global {kind}*)b)[i] = {call}"
    before = "".join(text for _, text in made)
    handles = "".join(f", {opaque(parameter)} p{n}" for n, parameter in enumerate(parameters) if opaque(parameter))
    return f"__kernel void k{number}(__global char *b{handles}) {{ size_t i = get_global_id(0); {before}{call}; }}\n"


class Driver:
    def __init__(self) -> None:
        self.api = ctypes.CDLL("libOpenCL.so.1")
        for name in ["clCreateContext", "clCreateProgramWithSource"]:
            getattr(self.api, name).restype = ctypes.c_void_p
        platform = ctypes.c_void_p()
        self.device, code = ctypes.c_void_p(), ctypes.c_int()
        assert self.api.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
        assert self.api.clGetDeviceIDs(platform, ctypes.c_ulong(0xffffffff), 1, ctypes.byref(self.device), None) == 0
        self.context = ctypes.c_void_p(
            self.api.clCreateContext(None, 1, ctypes.byref(self.device), None, None, ctypes.byref(code)))

    def build(self, source: str, options: str) -> tuple[int, str]:
        text, code, size = ctypes.c_char_p(source.encode()), ctypes.c_int(), ctypes.c_size_t()
        program = ctypes.c_void_p(
            self.api.clCreateProgramWithSource(self.context, 1, ctypes.byref(text), None, ctypes.byref(code)))
        result = self.api.clBuildProgram(program, 1, ctypes.byref(self.device), options.encode(), None, None)
        self.api.clGetProgramBuildInfo(program, self.device, BUILD_LOG, 0, None, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        self.api.clGetProgramBuildInfo(program, self.device, BUILD_LOG, size, log, None)
        self.api.clReleaseProgram(program)
        return result, log.value.decode()


def main() -> int:
    if shutil.which("clang-15") is None or not (header_folder() / "opencl-c.h").exists():
        print("skipped: clang-15 is not installed")
        return 77
    driver, wrong = Driver(), 0
    for standard in sys.argv[1:] or STANDARDS:
        least = STANDARDS[standard]
        found = declarations(standard)
        source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" + "".join(
            kernel(number, *declaration) for number, declaration in enumerate(found))
        result, log = driver.build(source, f"-cl-std={standard} -Werror")
        good = result == 0 and log == "" and len(found) >= least
        print(f"{standard}: {len(found)} functions of at least {least}, build gives {result}{'' if good else ':' + log[:4000]}")
        wrong += not good
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
