#!/usr/bin/env python3
"""Findings tell both halves of their story: where what is wrong now began, and what it should have agreed with.

usage: other_half_test.py TRANSPIRE REPOSITORY
"""
import re

from support import PROGRAMS, Case, main, needs_compiler

ITEM = r"work-item global \({0},0,0\), group \({1},0,0\), local \({2},0,0\)"
FIRST = ITEM.format(0, 0, 0)

WARNINGS = ("TSP-R0029", "TSP-R0036", "TSP-R0042", "TSP-R0045")

# Kernel, arguments of the command, and for each finding its rule, its line and its notes of the other half.
CASES = {
    "a copy that is not over": (
        ["kernel void k(global const int* in, global int* out, local int* tile) {",
         "  const event_t e = async_work_group_copy(tile, in, 4, 0);",
         "  out[get_local_id(0)] = tile[get_local_id(0)];",
         "  wait_group_events(1, (event_t*)&e);",
         "}"],
        ["-g", 4, "-l", 4, "-a", "in=int:zero:4", "-a", "out=int:zero:4", "-a", "tile=local:16", "--check=sync"],
        [("TSP-R0042", 3, [r"the copy began at k\.cl:2:\d+ in 'k' by work-group \(0,0,0\)"])]),
    "two copies of one place": (
        ["kernel void k(global const int* in, local int* tile) {",
         "  event_t e[2];",
         "  e[0] = async_work_group_copy(tile, in, 4, 0);",
         "  e[1] = async_work_group_copy(tile + 2, in, 4, 0);",
         "  wait_group_events(2, e);",
         "}"],
        ["-g", 4, "-l", 4, "-a", "in=int:zero:4", "-a", "tile=local:64", "--check=sync"],
        [("TSP-R0042", 4, [r"the copy began at k\.cl:3:\d+ in 'k' by work-group \(0,0,0\)"])]),
    "operands of a copy": (
        ["kernel void k(global const int* in, local int* tile) {",
         "  event_t e = async_work_group_copy(tile, in, get_local_id(0) == 2 ? 3 : 4, 0);",
         "  wait_group_events(1, &e);",
         "}"],
        ["-g", 4, "-l", 4, "-a", "in=int:zero:4", "-a", "tile=local:64", "--check=sync"],
        [("TSP-R0045", 2, [f"number of elements: 4 in {FIRST}", f"number of elements: 3 in {ITEM.format(2, 0, 2)}"])]),
    "the work-item to broadcast from": (
        ["kernel void k(global int* out) {",
         "  out[get_local_id(0)] = work_group_broadcast(7, get_local_id(0) == 1 ? 3u : 2u);",
         "}"],
        ["-g", 4, "-l", 4, "-a", "out=int:zero:4", "--check=sync"],
        [("TSP-R0045", 2, [f"local id: 2 in {FIRST}", f"local id: 3 in {ITEM.format(1, 0, 1)}"])]),
    "another pointer": (
        ["kernel void k(global int* restrict a, global int* b) {",
         "  const int i = get_global_id(0);",
         "  const int x = a[i + 1];",
         "  b[i] = 3;",
         "  b[i + 2] = a[i] + x;",
         "}"],
        ["-g", 1, "--buffer", "both=int:zero:8", "-a", "a=buffer both", "-a", "b=buffer both", "--check=ub"],
        [("TSP-R0036", 5, [r"this access is through 'a', which is restrict",
                           r"stored through 'b' at k\.cl:4:\d+ in 'k' by the same work-item"])]),
    "constant memory that is written": (
        ["void put(global int* to, int value) { to[1] = value; }",
         "kernel void k(constant int* c, global int* g) {",
         "  put(g, c[0] + 1);",
         "}"],
        ["-g", 1, "--buffer", "both=int:zero:2", "-a", "c=buffer both", "-a", "g=buffer both"],
        [("TSP-R0029", None, [r"'c' is loaded from at k\.cl:3:\d+", r"'g' is stored through at k\.cl:1:\d+"])]),
    "a variable that is gone": (
        ["__attribute__((noinline)) void keep(int** kept, int value) {",
         "  int gone = value;",
         "  *kept = &gone;",
         "}",
         "kernel void k(global int* out) {",
         "  int* kept;",
         "  keep(&kept, 10);",
         "  out[0] = *kept;",
         "}"],
        ["-g", 1, "-a", "out=int:zero:4"],
        [("TSP-R0026", 8, [r"its lifetime ends at k\.cl:4:\d+ in 'keep', called at k\.cl:7:\d+ in 'k'"])]),
    "a texel without a fence": (
        ["kernel void k(read_write image2d_t image, global uint* out) {",
         "  write_imageui(image, (int2)(0, 0), (uint4)(1));",
         "  out[0] = read_imageui(image, (int2)(0, 0)).x;",
         "}"],
        ["-g", 1, "-a", "image=image 2d R UNSIGNED_INT32 2x1", "-a", "out=uint:zero:1", "--check=sync"],
        [("TSP-R0078", 3, [r"written at k\.cl:2:\d+ in 'k' by the same work-item"])]),
    "a reservation that failed": (
        ["kernel void k(write_only pipe int p) {",
         "  reserve_id_t id = reserve_write_pipe(p, 9);",
         "  const int value = 1;",
         "  write_pipe(p, id, 0, &value);",
         "}"],
        ["-g", 1, "-a", "p=pipe int 4"],
        [("TSP-R0082", 4, [rf"reserving failed at k\.cl:2:\d+ in 'k' by {FIRST}: 9 packets were asked for, and 4 could be had"])]),
    "a reservation that is over": (
        ["void done(write_only pipe int p, reserve_id_t id) { commit_write_pipe(p, id); }",
         "kernel void k(write_only pipe int p) {",
         "  reserve_id_t id = reserve_write_pipe(p, 1);",
         "  const int value = 1;",
         "  write_pipe(p, id, 0, &value);",
         "  write_pipe(p, id, 1, &value);",
         "  done(p, id);",
         "  write_pipe(p, id, 0, &value);",
         "}"],
        ["-g", 2, "-l", 1, "-a", "p=pipe int 4", "--build-options=-O0"],
        [("TSP-R0085", 6, [rf"1 packets were reserved at k\.cl:3:\d+ in 'k' by {FIRST}"]),
         ("TSP-R0084", 8, [rf"committed at k\.cl:1:\d+ in 'done', called at k\.cl:7:\d+ in 'k' by {FIRST}"])]),
    "an event that was released": (
        ["kernel void k(global int* out) {",
         "  clk_event_t e = create_user_event();",
         "  set_user_event_status(e, CL_COMPLETE);",
         "  release_event(e);",
         "  release_event(e);",
         "}"],
        ["-g", 1, "-a", "out=int:zero:1"],
        [("TSP-R0091", 5, [rf"the event was made at k\.cl:2:\d+ in 'k' by {FIRST}", rf"its status was set at k\.cl:3:\d+ in 'k' by {FIRST}",
                           rf"released at k\.cl:4:\d+ in 'k' by {FIRST}"])]),
    "a status that was set": (
        ["kernel void k(global int* out) {",
         "  clk_event_t e = create_user_event();",
         "  set_user_event_status(e, CL_COMPLETE);",
         "  set_user_event_status(e, -1);",
         "}"],
        ["-g", 1, "-a", "out=int:zero:1"],
        [("TSP-R0092", 4, [rf"the event was made at k\.cl:2:\d+ in 'k' by {FIRST}",
                           rf"its status was set at k\.cl:3:\d+ in 'k' by {FIRST}"])]),
    "commands that never run": (
        ["kernel void k(global int* out) {",
         "  clk_event_t user = create_user_event(), stuck;",
         "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, &stuck, ^{ out[0] = 1; });",
         "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &stuck, 0, ^{ out[0] = 2; });",
         "}"],
        ["-g", 1, "-a", "out=int:zero:1"],
        [("TSP-R0095", 3, [rf"waits for a user event, made at k\.cl:2:\d+ in 'k' by {FIRST}, whose status nobody set"]),
         ("TSP-R0095", 4, [rf"waits for the command that was enqueued at k\.cl:3:\d+ in 'k' by {FIRST}"])]),
}


class OtherHalves(Case):
    def notes_of(self, *words, code):
        document = self.json_of("run", *words, code=code)
        return [(found["rule"], found.get("source", {}).get("line"), found.get("notes", [])) for found in document["findings"]]

    @needs_compiler
    def test_both_halves(self):
        for name, (lines, words, expected) in CASES.items():
            with self.subTest(name):
                self.write("k.cl", "\n".join(lines) + "\n")
                options = next((word for word in words if str(word).startswith("--build-options=")), "--build-options=-O1")
                words = [word for word in words if not str(word).startswith("--build-options=")]
                code = 0 if all(rule in WARNINGS for rule, _, _ in expected) else 4
                found = self.notes_of("k.cl", *words, f"{options} -cl-std=CL2.0", code=code)
                for rule, line, notes in expected:
                    own = [texts for a_rule, a_line, texts in found if (a_rule, a_line) == (rule, line)]
                    self.assertEqual(len(own), 1, found)
                    places = []
                    for note in notes:
                        matching = [i for i, text in enumerate(own[0]) if re.fullmatch(note, text)]
                        self.assertEqual(len(matching), 1, (note, own[0]))
                        places += matching
                    self.assertEqual(places, sorted(places))

    def test_operands_of_a_barrier(self):
        program = (PROGRAMS / "faults" / "barrier_semantics_differ.spvasm").read_text()
        self.write("k.spvasm", re.sub(r"^;!.*\n", "", program, flags=re.MULTILINE))
        [(rule, _, notes)] = self.notes_of("k.spvasm", "-g", 2, "-l", 2, "-a", "flags=uint:data:0,1", "-a", "out=uint:zero:2", "--check=sync",
                                           code=0)
        self.assertEqual(rule, "TSP-R0045")
        self.assertIn("the barrier's memory semantics: 272 in work-item global (0,0,0), group (0,0,0), local (0,0,0)", notes)
        self.assertIn("the barrier's memory semantics: 528 in another work-item", notes)


if __name__ == "__main__":
    main()
