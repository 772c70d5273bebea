#!/usr/bin/env python3
"""Every undefined behaviour of tests/data/undefined_behaviour.json has golden programs whose heads expect its finding or its
refusal, or a reason why no run of a kernel can show it, or stands in OPEN with the check that is missing. An entry of SHOWN
need not be shown in each of its situations.

  undefined_behaviour_coverage.py SOURCE          checks the tables
  undefined_behaviour_coverage.py SOURCE --open   lists the entries that nothing shows yet
"""

import json
import pathlib
import re
import sys

# What shows an entry: the rule of the finding or refusal, and a program below tests/programs that expects it.
SHOWN = {
    "UB-01": [("TSP-R0001", "faults/null_load.spvasm"), ("TSP-R0020", "faults/load_past_end.spvasm")],
    "UB-02": [("TSP-R0023", "faults/misaligned.spvasm")],
    "UB-03": [("TSP-R0023", "faults/misaligned_half.cl")],
    "UB-04": [("TSP-R0023", "faults/misaligned_vector.spvasm")],
    "UB-05": [("TSP-R0030", "faults/chain_outside_object.cl")],
    "UB-06": [("TSP-R0028", "faults/index_outside_array.spvasm"), ("TSP-R0020", "faults/load_past_end.spvasm")],
    "UB-07": [("TSP-R0026", "faults/lifetime_ended.spvasm"), ("TSP-R0026", "faults/pointer_to_returned.cl")],
    "UB-08": [("TSP-R0027", "faults/write_only_buffer.spvasm"), ("TSP-R0024", "faults/read_only_buffer.spvasm"),
              ("TSP-R0075", "faults/image_of_host_read_only.cl")],
    "UB-09": [("TSP-R0024", "faults/constant_store.spvasm")],
    "UB-10": [("TSP-R0003", "faults/pointer_to_other_space.cl")],
    "UB-11": [("TSP-R0100", "faults/race_neighbour.cl"), ("TSP-R0100", "faults/race_scope_too_narrow.cl")],
    "UB-12": [("TSP-R0002", "faults/pointer_of_other_launch.cl")],
    "UB-13": [("TSP-R0101", "faults/uninit_branch.cl"), ("TSP-R0101", "faults/uninit_local.cl")],
    "UB-14": [("TSP-R0101", "faults/uninit_undef.spvasm")],
    "UB-17": [("TSP-R0035", "faults/image_and_buffer.cl")],
    "UB-18": [("TSP-R0025", "faults/no_write.spvasm"), ("TSP-R0036", "faults/restrict_alias.cl")],
    "UB-20": [("TSP-R0031", "faults/copy_overlaps.cl")],
    "UB-21": [("TSP-R0060", "faults/division_by_zero.spvasm")],
    "UB-22": [("TSP-R0061", "faults/division_overflow.spvasm")],
    "UB-23": [("TSP-R0062", "faults/shift_too_far.spvasm")],
    "UB-24": [("TSP-R0069", "faults/no_such_component.cl")],
    "UB-25": [("TSP-R0069", "faults/bit_field_too_far.spvasm")],
    "UB-26": [("TSP-R0067", "faults/undefined_operands.cl")],
    "UB-27": [("TSP-R0066", "faults/mul24_range.cl")],
    "UB-28": [("TSP-R0063", "faults/wraps.spvasm")],
    "UB-29": [("TSP-R0064", "faults/shown_operands.cl")],
    "UB-30": [("TSP-R0002", "faults/stray_pointer.spvasm")],
    "UB-31": [("TSP-R0065", "faults/unsafe_power.spvasm")],
    "UB-32": [("TSP-R0067", "faults/common_of_nan.spvasm")],
    "UB-33": [("TSP-R0065", "faults/fast_math_promises.cl")],
    "UB-35": [("TSP-R0033", "faults/atomic_private.cl"), ("TSP-R0033", "faults/atomic_function.spvasm")],
    "UB-36": [("TSP-R0034", "faults/flag_changed.cl")],
    "UB-37": [("TSP-UNI-36", "faults/semantics_at_run.spvasm"), ("TSP-UNI-35", "faults/semantics_at_run.spvasm")],
    "UB-38": [("TSP-R0023", "faults/misaligned_atomic.spvasm")],
    "UB-40": [("TSP-R0040", "faults/barrier_returned.spvasm"), ("TSP-R0041", "faults/part_of_sub_group.spvasm")],
    "UB-41": [("TSP-R0045", "faults/barrier_semantics_differ.spvasm")],
    "UB-42": [("TSP-R0043", "faults/async_without_wait.cl"), ("TSP-R0044", "faults/async_unknown_event.cl")],
    "UB-43": [("TSP-R0042", "faults/async_read_too_early.cl")],
    "UB-44": [("TSP-R0045", "faults/broadcast_from_several.spvasm"), ("TSP-R0047", "faults/broadcast_from_nobody.spvasm")],
    "UB-45": [("TSP-R0048", "faults/lock_in_sub_group.cl"), ("TSP-R0048", "faults/waits_at_barrier.cl")],
    "UB-46": [("TSP-R0078", "faults/image_unfenced.cl")],
    "UB-47": [("TSP-UNI-34", "faults/semantics_at_run.spvasm"), ("TSP-ENV-X.3-03b", "faults/scopes_at_run.spvasm")],
    "UB-48": [("TSP-R0073", "faults/image_not_finite.cl")],
    "UB-49": [("TSP-R0071", "faults/image_outside.cl"), ("TSP-R0070", "faults/image_outside.cl")],
    "UB-50": [("TSP-R0070", "faults/image_outside.cl")],
    "UB-51": [("TSP-R0074", "faults/image_sampler_mismatch.cl")],
    "UB-52": [("TSP-R0072", "faults/image_format_mismatch.cl")],
    "UB-53": [("TSP-R0110", "faults/image_filter_not_finite.cl")],
    "UB-55": [("TSP-R0079", "faults/image_samplers_differ.cl")],
    "UB-56": [("TSP-R0070", "image/mipmap.spvasm"), ("TSP-R0071", "image/mipmap.spvasm")],
    "UB-57": [("TSP-C0042", "refused/image_format.cl")],
    "UB-58": [("TSP-R0082", "pipe/misuse.cl"), ("TSP-R0084", "pipe/misuse.cl")],
    "UB-59": [("TSP-R0085", "pipe/misuse.cl")],
    "UB-60": [("TSP-R0086", "pipe/misuse.cl"), ("TSP-R0087", "pipe/misuse.cl")],
    "UB-61": [("TSP-R0045", "pipe/group_operands.cl")],
    "UB-62": [("TSP-R0088", "pipe/storage.spvasm")],
    "UB-63": [("TSP-R0081", "pipe/packet_size.spvasm")],
    "UB-64": [("TSP-R0094", "enqueue/captured_pointer.cl")],
    "UB-65": [("TSP-R0097", "enqueue/profiling_twice.cl")],
    "UB-66": [("TSP-R0091", "enqueue/released_event.cl"), ("TSP-R0092", "enqueue/event_status.cl")],
    "UB-68": [("TSP-R0050", "faults/unreachable.spvasm")],
    "UB-69": [("TSP-U0005", "refused/recursion.cl"), ("TSP-U0005", "refused/recursion_direct.spvasm")],
    "UB-70": [("TSP-R0032", "faults/pure_function.cl")],
    "UB-71": [("TSP-R0068", "extinst/printf_mismatch.cl")],
    "UB-72": [("TSP-R0060", "faults/spec_constant_division.spvasm"),
              ("TSP-R0062", "faults/spec_constant_division.spvasm")],
    "UB-73": [("TSP-C0004", "refused/required_size.spvasm"), ("TSP-C0003", "refused/missing_argument.spvasm")],
}

# What the host does wrong: the rule of the finding, and the part of tests/opencl/checks_test.cpp that looks for it.
OF_HOST = {
    "UB-15": [("TSP-R0104", "memory that is mapped for writing"), ("TSP-R0104", "memory that is mapped for reading"),
              ("TSP-R0002", "one that was freed")],
    "UB-16": [("TSP-R0102", "parts that overlap, and parts that do not"), ("TSP-R0102", "buffers of the same host memory")],
    "UB-19": [("TSP-R0105", "one that is not")],
    "UB-39": [("TSP-R0103", "atomics of kernels that nothing orders")],
}

# Why no run can show an entry, and what shows that it is so.
REASONS = {
    "UB-34": ("native_ functions are the full ones here, and defined wherever those are; where another device's are, no module "
              "says", "tests/programs/extinst/half_native_values.cl"),
    "UB-54": ("the device has cl_khr_srgb_image_writes, with which such a write is defined",
              "tests/memory/texel_test.cpp"),
    "UB-67": ("enqueue_kernel gives an error for a null queue, as it is specified to: nothing is left undefined",
              "tests/programs/enqueue/null_queue.cl"),
    "UB-74": ("this is of the modules that clspv makes for Vulkan: OpSRem and OpSMod of kernels are defined for negative operands, "
              "and of sizeof a module has but the number", "tests/programs/arithmetic/int_divide_32.spvasm"),
}

# What is not shown yet: the check that is missing.
OPEN = {}


def expects(program, rule):
    """Whether a line of the program's head expects a finding of the rule."""
    return any(re.search(rf"\bexpect\b.*\b{re.escape(rule)}\b", line) for line in program.read_text().splitlines())


def problems_of_host(text):
    """Parts that are not there, or do not look for their rule."""
    found = []
    for name, parts in OF_HOST.items():
        for rule, part in parts:
            _, _, behind = text.partition(f'SUBCASE("{part}")')
            if rule not in behind.split("SUBCASE(")[0]:
                found.append(f"{name}: '{part}' of checks_test.cpp does not look for {rule}")
    return found


def problems(source, programs):
    entries = [entry["id"] for entry in json.loads((source / "tests/data/undefined_behaviour.json").read_text())]
    found = []
    for name in entries:
        if sum(name in table for table in (SHOWN, OF_HOST, REASONS, OPEN)) != 1:
            found.append(f"{name} must stand in one of SHOWN, OF_HOST, REASONS and OPEN")
    for name in sorted({*SHOWN, *OF_HOST, *REASONS, *OPEN} - set(entries)):
        found.append(f"{name} is no entry of the inventory")
    for name, (reason, path) in REASONS.items():
        _, in_programs, name_there = path.partition("tests/programs/")
        if not reason or not (programs / name_there if in_programs else source / path).is_file():
            found.append(f"{name} has no reason, or there is no {path}")
    found += [f"{name}: what is missing is not said" for name, missing in OPEN.items() if not missing]
    found += problems_of_host((source / "tests/opencl/checks_test.cpp").read_text())
    for name, launches in SHOWN.items():
        for rule, path in launches:
            program = programs / path
            if not program.is_file():
                found.append(f"{name}: there is no {path}")
            elif not expects(program, rule):
                found.append(f"{name}: {path} does not expect {rule}")
    return found


def main():
    source = pathlib.Path(sys.argv[1])
    if "--open" in sys.argv:
        print("\n".join(f"{name}: {missing}" for name, missing in OPEN.items()))
        return 0
    found = problems(source, pathlib.Path(sys.argv[2]))
    print("\n".join(found) or f"{len(SHOWN) + len(OF_HOST)} entries are shown, no run can show {len(REASONS)}, {len(OPEN)} are open")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
