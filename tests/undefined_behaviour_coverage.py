#!/usr/bin/env python3
"""Every undefined behaviour of tests/data/undefined_behaviour.json has golden programs whose heads expect its finding, or
stands in OPEN: not shown yet. An entry of SHOWN need not be shown in each of its situations.

  undefined_behaviour_coverage.py SOURCE          checks the tables
  undefined_behaviour_coverage.py SOURCE --open   lists the entries that nothing shows yet
"""

import json
import pathlib
import re
import sys

# What shows an entry: the finding's rule, and a program below tests/programs that expects it.
SHOWN = {
    "UB-01": [("TSP-R0001", "faults/null_load.spvasm"), ("TSP-R0020", "faults/load_past_end.spvasm")],
    "UB-02": [("TSP-R0023", "faults/misaligned.spvasm")],
    "UB-03": [("TSP-R0023", "faults/misaligned_half.cl")],
    "UB-06": [("TSP-R0020", "faults/load_past_end.spvasm")],
    "UB-07": [("TSP-R0026", "faults/lifetime_ended.spvasm")],
    "UB-08": [("TSP-R0027", "faults/write_only_buffer.spvasm"), ("TSP-R0024", "faults/read_only_buffer.spvasm")],
    "UB-09": [("TSP-R0024", "faults/constant_store.spvasm")],
    "UB-10": [("TSP-R0003", "faults/pointer_to_other_space.cl")],
    "UB-11": [("TSP-R0100", "faults/race_neighbour.cl")],
    "UB-18": [("TSP-R0025", "faults/no_write.spvasm")],
    "UB-21": [("TSP-R0060", "faults/division_by_zero.spvasm")],
    "UB-22": [("TSP-R0061", "faults/division_overflow.spvasm")],
    "UB-23": [("TSP-R0062", "faults/shift_too_far.spvasm")],
    "UB-26": [("TSP-R0067", "faults/undefined_operands.cl")],
    "UB-27": [("TSP-R0066", "faults/mul24_range.cl")],
    "UB-28": [("TSP-R0063", "faults/wraps.spvasm")],
    "UB-29": [("TSP-R0064", "faults/shown_operands.cl")],
    "UB-32": [("TSP-R0067", "faults/common_of_nan.spvasm")],
    "UB-33": [("TSP-R0065", "faults/fast_math_promises.cl")],
    "UB-38": [("TSP-R0023", "faults/misaligned_atomic.spvasm")],
    "UB-40": [("TSP-R0040", "faults/barrier_returned.spvasm"), ("TSP-R0041", "faults/part_of_sub_group.spvasm")],
    "UB-42": [("TSP-R0043", "faults/async_without_wait.cl"), ("TSP-R0044", "faults/async_unknown_event.cl")],
    "UB-43": [("TSP-R0042", "faults/async_read_too_early.cl")],
    "UB-44": [("TSP-R0045", "faults/broadcast_from_several.spvasm"), ("TSP-R0047", "faults/broadcast_from_nobody.spvasm")],
    "UB-46": [("TSP-R0078", "faults/image_unfenced.cl")],
    "UB-48": [("TSP-R0073", "faults/image_not_finite.cl")],
    "UB-49": [("TSP-R0071", "faults/image_outside.cl")],
    "UB-50": [("TSP-R0070", "faults/image_outside.cl")],
    "UB-51": [("TSP-R0074", "faults/image_sampler_mismatch.cl")],
    "UB-52": [("TSP-R0072", "faults/image_format_mismatch.cl")],
    "UB-58": [("TSP-R0082", "pipe/misuse.cl"), ("TSP-R0084", "pipe/misuse.cl")],
    "UB-59": [("TSP-R0085", "pipe/misuse.cl")],
    "UB-60": [("TSP-R0086", "pipe/misuse.cl"), ("TSP-R0087", "pipe/misuse.cl")],
    "UB-62": [("TSP-R0088", "pipe/storage.spvasm")],
    "UB-64": [("TSP-R0094", "enqueue/captured_pointer.cl")],
    "UB-66": [("TSP-R0091", "enqueue/released_event.cl"), ("TSP-R0092", "enqueue/event_status.cl")],
    "UB-68": [("TSP-R0050", "faults/unreachable.spvasm")],
    "UB-71": [("TSP-R0068", "extinst/printf_mismatch.cl")],
}

# Entries that no program is known to show: a check is missing, or its program is not named above yet.
OPEN = """UB-04 UB-05 UB-12 UB-13 UB-14 UB-15 UB-16 UB-17 UB-19 UB-20 UB-24 UB-25 UB-30 UB-31 UB-34 UB-35 UB-36 UB-37 UB-39
UB-41 UB-45 UB-47 UB-53 UB-54 UB-55 UB-56 UB-57 UB-61 UB-63 UB-65 UB-67 UB-69 UB-70 UB-72 UB-73 UB-74""".split()


def expects(program, rule):
    """Whether a line of the program's head expects a finding of the rule."""
    return any(re.search(rf"\bexpect\b.*\b{rule}\b", line) for line in program.read_text().splitlines())


def problems(source):
    entries = [entry["id"] for entry in json.loads((source / "tests/data/undefined_behaviour.json").read_text())]
    found = []
    for name in entries:
        if (name in SHOWN) + (name in OPEN) != 1:
            found.append(f"{name} must stand in one of SHOWN and OPEN")
    for name in sorted({*SHOWN, *OPEN} - set(entries)):
        found.append(f"{name} is no entry of the inventory")
    for name, launches in SHOWN.items():
        for rule, path in launches:
            program = source / "tests/programs" / path
            if not program.is_file():
                found.append(f"{name}: there is no {path}")
            elif not expects(program, rule):
                found.append(f"{name}: {path} does not expect {rule}")
    return found


def main():
    source = pathlib.Path(sys.argv[1])
    if "--open" in sys.argv:
        print("\n".join(OPEN))
        return 0
    found = problems(source)
    print("\n".join(found) or f"{len(SHOWN)} entries are shown, {len(OPEN)} are open")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
