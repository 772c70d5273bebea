#!/usr/bin/env python3
"""Where undefined values come from, as the findings of --check=uninit say it: what made them, who stored and who loaded them.

usage: origins_test.py TRANSPIRE REPOSITORY
"""
import re

from support import PROGRAMS, Case, main, needs_compiler

#: Only work-items with an odd number leave x[0] as it was.
UNDEFINED = "  uint x[2];\n  x[in[i] & 1] = 3;\n"
#: Of private variable x, as kernel() has it.
X = "private variable 'x', which nothing wrote since it began to live at k.cl:3:3"
UNDEFINED_CONSTANTS = """OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %out "out"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%v2uint = OpTypeVector %uint 2
%to_uint = OpTypePointer CrossWorkgroup %uint
%to_v2uint = OpTypePointer CrossWorkgroup %v2uint
%function = OpTypeFunction %void %to_uint
%three = OpConstant %uint 3
%one = OpConstant %ulong 1
%undefined = OpUndef %uint
%half = OpConstantComposite %v2uint %three %undefined
%k = OpFunction %void None %function
%out = OpFunctionParameter %to_uint
%entry = OpLabel
%own = OpUndef %uint
OpStore %out %undefined Aligned 4
%next = OpInBoundsPtrAccessChain %to_uint %out %one
OpStore %next %own Aligned 4
%pairs = OpBitcast %to_v2uint %out
%pair = OpInBoundsPtrAccessChain %to_v2uint %pairs %one
OpStore %pair %half Aligned 4
OpReturn
OpFunctionEnd
"""
HEAD = "kernel void k(global uint* in, global uint* out) {\n  const uint i = get_local_id(0);\n"


def kernel(body, before=""):
    """UNDEFINED stands in its lines 3 and 4, `body` from 5 on."""
    return before + HEAD + UNDEFINED + body + "}\n"


class Origins(Case):
    def origins(self, text, *words, group=64, name="k.cl"):
        """Of each finding its line, and what it says of the value's origin."""
        self.write(name, text)
        error = self.run_(name, "-g", 64, "-l", group, "-a", "in=uint:range:0:1:64", "-a", "out=uint:zero:64",
                          "--check=uninit", "--threads", 1, *words, code=4).stderr
        found = []
        for finding in re.split(r"^(?=error)", error, flags=re.M)[1:]:
            self.assertTrue(finding.startswith("error[TSP-R0101]"), error)
            line = re.search(rf"--> {re.escape(name)}:(\d+)", finding)
            found.append((int(line[1]), *re.findall(r"^  = undefined: (.*)$", finding, re.M)))
        return found

    @needs_compiler
    def test_stored_and_loaded(self):
        self.assertEqual(self.origins(kernel("  if (x[0] == 7) out[i] = 1;\n")), [(5, f"{X}; loaded at k.cl:5:7")])
        local = "  local uint t[64];\n  t[i] = x[0];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (t[63 - i] == 7) out[i] = 1;\n"
        self.assertEqual(self.origins(kernel(local)), [(8, f"{X}; stored at k.cl:6:8; loaded at k.cl:8:7")])
        private = "  uint kept[4] = {1, 2, 3, 4};\n  kept[in[i] & 3] = x[0];\n  kept[in[i] >> 5] = 9;\n  if (kept[in[i] & 3] == 7) out[i] = 1;\n"
        self.assertEqual(self.origins(kernel(private)), [(8, f"{X}; stored at k.cl:6:19; loaded at k.cl:8:7")])

    @needs_compiler
    def test_what_a_loop_hands_on_comes_from_any_round(self):
        self.assertEqual(self.origins(kernel("  uint s = 0;\n  for (uint n = 0; n < 2; n++) s += x[n];\n  out[i] = s;\n")),
                         [(7, f"{X}; loaded at k.cl:6:37")])
        # Nobody writes t[0], which only the first of three rounds reads.
        stencil = ("  local uint t[66];\n  t[i + 1] = in[i];\n  if (i == 63) t[65] = 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "  uint s = 0;\n  for (uint n = 0; n < 3; n++) s += t[i + n];\n  out[i] = s;\n")
        self.assertEqual(self.origins(kernel(stencil)), [(11, "local memory 'k.t', which nothing wrote; loaded at k.cl:10:37")])
        # What each round begins anew is of this round: of y the one before had an undefined element, this one has not.
        anew = ("  uint y[2];\n  y[~in[i] & 1] = 3;\n  for (uint n = 0; n < 2; n++) {\n    const uint now = x[n] + y[n];\n"
                "    if (n == 1 && now == 7) out[i] = 1;\n  }\n")
        self.assertEqual(self.origins(kernel(anew)), [(9, f"{X}; loaded at k.cl:8:22")])

    @needs_compiler
    def test_loads_of_one_function_are_told_apart_by_their_calls(self):
        text = ("uint at(local uint* s, uint i) { return s[i]; }\nkernel void k(global uint* in, global uint* out) {\n"
                "  local uint t[64];\n  const uint i = get_local_id(0);\n  if (in[i] > 99) t[i] = 1;\n"
                "  out[i] = work_group_reduce_min(min(at(t, i),\n                                     at(t, i ^ 1)));\n}\n")
        loaded = "local memory 'k.t', which nothing wrote; loaded at k.cl:1:41, called at k.cl:"
        self.assertEqual([(line, *sorted(origins)) for line, *origins in self.origins(text, "--build-options=-cl-std=CL2.0")],
                         [(6, loaded + "6:38", loaded + "7:38")])
        text = text.replace(",\n  ", ",")
        self.assertEqual([(line, *sorted(origins)) for line, *origins in self.origins(text, "--build-options=-cl-std=CL2.0")],
                         [(6, loaded + "6:38", loaded + "6:82")])

    @needs_compiler
    def test_the_first_origin_and_the_last_store(self):
        twice = ("  local uint s[64], t[64];\n  s[i] = x[0];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  t[i] = s[i ^ 2] + 1;\n"
                 "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (t[i ^ 4] == 7) out[i] = 1;\n")
        self.assertEqual(self.origins(kernel(twice)), [(10, f"{X}; stored at k.cl:8:8; loaded at k.cl:10:7")])

    @needs_compiler
    def test_copies(self):
        record = "struct record { uint kind; uint numbers[6]; };\n"
        body = ("  local struct record t[64];\n  struct record made;\n  made.kind = i;\n  made.numbers[in[i] & 1] = 2;\n  t[i] = made;\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (t[63 - i].numbers[4 + (in[i] & 1)] == 2) out[i] = 1;\n")
        self.assertEqual(
            self.origins(record + HEAD + body + "}\n"),
            [(10, "private variable 'made', which nothing wrote since it began to live at k.cl:5:3; stored at k.cl:8:10; loaded at k.cl:10:7")])
        fetched = ("  local uint s[64], t[64];\n  s[i] = x[0];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "  event_t e = async_work_group_copy(out, s, 64, 0);\n  wait_group_events(1, &e);\n"
                   "  e = async_work_group_copy(t, out, 64, 0);\n  wait_group_events(1, &e);\n  if (t[i ^ 4] == 7) out[i] = 1;\n")
        self.assertEqual(self.origins(kernel(fetched)), [
            (8, f"{X}; stored at k.cl:6:8"), (12, f"{X}; stored at k.cl:10:7; loaded at k.cl:12:7")])

    @needs_compiler
    def test_bytes_of_a_word(self):
        body = ("  local uchar t[256];\n  uchar y[2];\n  y[in[i] & 1] = 3;\n  t[4 * i] = x[0];\n  t[4 * i + 1] = y[0];\n"
                "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (t[4 * i] == 7) out[i] = 1;\n  if (t[4 * i + 1] == 7) out[i] = 1;\n")
        self.assertEqual(self.origins(kernel(body)), [
            (11, f"{X}; stored at k.cl:8:12; loaded at k.cl:11:7"),
            (12, "private variable 'y', which nothing wrote since it began to live at k.cl:6:3; stored at k.cl:9:16; "
                 "loaded at k.cl:12:7")])

    @needs_compiler
    def test_what_others_had(self):
        """Local memory is new for each group, whatever the one before stored there."""
        body = ("  local uint t[64];\n  if (get_group_id(0) == 0) t[i] = x[0];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  if (get_group_id(0) == 1 && t[i] == 7) out[i] = 1;\n")
        self.assertEqual(self.origins(kernel(body), group=32),
                         [(8, "local memory 'k.t', which nothing wrote; loaded at k.cl:8:31")])
        # What one lane loads says nothing of another.
        body = "  local uint t[64];\n  t[i] = i == 5 ? x[0] : 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (t[0] + t[i] == 7) out[i] = 1;\n"
        self.assertEqual(self.origins(kernel(body)), [(8, f"{X}; stored at k.cl:6:8; loaded at k.cl:8:14")])

    @needs_compiler
    def test_every_mode_says_the_same(self):
        body = "  local uint t[64];\n  t[i] = x[0];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (t[63 - i] == 7) out[i] = 1;\n"
        usual = self.origins(kernel(body), group=16)
        for words in [["--reference"], ["--schedule", "reverse"], ["--schedule", "serial"],
                      *(["--isa", isa] for isa in self.instruction_sets())]:
            self.assertEqual({each[1:] for each in self.origins(kernel(body), *words, group=16)},
                             {each[1:] for each in usual}, words)

    def test_undefined_constants(self):
        self.write("k.spvasm", UNDEFINED_CONSTANTS)
        error = self.run_("k.spvasm", "-g", 1, "-a", "out=uint:zero:4", "--check=uninit", code=4).stderr
        line = {name: number for number, text in enumerate(UNDEFINED_CONSTANTS.splitlines(), 1)
                for name in ("%own =", "OpStore %out", "OpStore %pair") if name in text}
        self.assertEqual(re.findall(r"= undefined: (.*)", error),
                         [f"an undefined constant (OpUndef), which k.spvasm:{line['OpStore %out']}:1 uses",
                          f"an undefined constant (OpUndef) of k.spvasm:{line['%own =']}:8",
                          f"an undefined constant (OpUndef), which k.spvasm:{line['OpStore %pair']}:1 uses"])

    def test_lives_again(self):
        program = PROGRAMS / "faults" / "uninit_lives_again.spvasm"
        text = program.read_text().replace(";!", "; ")
        lines = {name: number for number, line in enumerate(text.splitlines(), 1)
                 for name in ("OpVariable %_ptr_Function", "OpLifetimeStart", "%again =", "OpStore %behind_at")
                 if name in line}
        self.write("k.spvasm", text)
        error = self.run_("k.spvasm", "-g", 4, "-a", "out=uint:zero:8", "-a", "n=1", "--check=uninit", code=4).stderr
        self.assertRegex(error, rf"--> k\.spvasm:{lines['OpStore %behind_at']}:")
        self.assertIn(f"= undefined: private variable 'x' of k.spvasm:{lines['OpVariable %_ptr_Function']}:20, which nothing wrote "
                      f"since it began to live at k.spvasm:{lines['OpLifetimeStart']}:20; loaded at k.spvasm:{lines['%again =']}:20",
                      error)


if __name__ == "__main__":
    main()
