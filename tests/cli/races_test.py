#!/usr/bin/env python3
"""What findings of data races say: what the two accesses are, and what would have ordered them.

usage: races_test.py TRANSPIRE REPOSITORY
"""
import re

from support import ROOT, Case, main, needs_compiler

RACES = """kernel void count(global const int* in, global int* out) { out[in[get_global_id(0)]]++; }
kernel void least(global const int* in, global int* out) {
  if (*out > in[get_global_id(0)]) atomic_min(out, in[get_global_id(0)]);
}
kernel void next(global const int* in, global int* out) {
  out[get_global_id(0)] = out[get_global_id(0) ^ 1] + in[0];
}
kernel void unrelated(global int* in, global int* out) {
  if (get_local_id(0) == 0) *in = 42;
  out[get_local_id(0)] = *in;
}
kernel void last(global const int* in, global int* out) { *out = get_global_id(0) + in[0]; }
kernel void rounds(global const int* in, global int* out) {
  for (int n = in[0]; n < 4; ++n) out[(get_local_id(0) + n) % 4] = get_local_id(0);
}
"""


class Races(Case):
    @needs_compiler
    def test_what_orders_a_race(self):
        self.write("k.cl", RACES)
        barrier = "a barrier with CLK_GLOBAL_MEM_FENCE between them orders the two"
        one = "one instruction made both: each work-item needs a place of its own, or "
        helps = {"count": "the load and the store are of one update: an atomic function in its place orders what work-items do there",
                 "least": f"{barrier}; without one both must be atomic",
                 "next": barrier,
                 "unrelated": barrier,
                 "last": one + "an atomic function must take its place",
                 "rounds": one + "a barrier with CLK_GLOBAL_MEM_FENCE must part the rounds of the loop"}
        for kernel, text in helps.items():
            with self.subTest(kernel=kernel):
                error = self.run_("k.cl", "-k", kernel, "-g", 4, "-l", 4, "-a", "in=int:zero:4", "-a", "out=int:fill:9:4",
                                  "--check", "race", "--build-options=-O2", code=4).stderr
                self.assertEqual(set(re.findall(r"^help: (.*)", error, re.MULTILINE)), {text})

    @needs_compiler
    def test_barriers_that_order_less_than_the_group(self):
        narrow = "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group);"
        store, load = "out[i] = i;", "const int x = out[i ^ 64];"
        lacks = "the barrier between them has no CLK_GLOBAL_MEM_FENCE"
        for body, text in [
                ([store, narrow, load], "the memory scope of the barrier between them is narrower than the work-group"),
                ([narrow, store, "barrier(CLK_LOCAL_MEM_FENCE);", load], lacks)]:
            with self.subTest(body=body):
                self.write("k.cl", "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
                                   "kernel void k(global int* out) {\n  const int i = get_local_id(0);\n  "
                                   + "\n  ".join(body) + "\n  out[i + 128] = x;\n}\n")
                error = self.run_("k.cl", "-g", 128, "-l", 128, "-a", "out=int:zero:256", "--check", "race",
                                  "--build-options=-cl-std=CL2.0", code=4).stderr
                self.assertEqual(set(re.findall(r"^help: (.*)", error, re.MULTILINE)), {text})

    def test_split_barriers(self):
        program = (ROOT / "tests" / "programs" / "faults" / "race_in_split_barrier.spvasm").read_text()
        self.write("k.spvasm", re.sub(r"^;!.*\n", "", program, flags=re.MULTILINE))
        error = self.run_("k.spvasm", "-g", 80, "-l", 40, "-a", "out=uint:zero:80", "--check", "race", code=4).stderr
        self.assertEqual(re.findall(r"^help: (.*)", error, re.MULTILINE),
                         ["a split barrier orders what stands before its first half with what stands behind its second"])

    @needs_compiler
    def test_races_with_asynchronous_copies(self):
        start = "  event_t e = async_work_group_copy({});\n"
        into, back, wait = start.format("l, in, 4, 0"), start.format("in, l, 4, 0"), "  wait_group_events(1, &e);\n"
        load, store, meet = "  out[i] = l[i ^ 1];\n", "  l[i] = i;\n", "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        to = "asynchronous copy to local memory 'l' races with a load of a work-item"
        source = "asynchronous copy from local memory 'l' races with a store of a work-item"
        at_once = "wait_group_events for the copy's event before the load"
        apart = "a barrier with CLK_LOCAL_MEM_FENCE between the {} and the copy"
        rounds = "  for (int n = 0; n < in[i]; ++n) {\n" + into + wait + load + "  }\n"
        for body, message, text in [
                (into + load + wait, to, f"{at_once} orders the two; a barrier does not"),
                (into + meet + load + wait, to, f"{at_once} orders the two; a barrier does not"),
                (store + back + wait, source, apart.format("store") + " orders the two"),
                (back + store + wait, source, "wait_group_events for the copy's event before the store orders the two; a barrier does not"),
                (rounds, to, f"{at_once} orders the two, or {apart.format('load')} that comes behind it")]:
            with self.subTest(body=body):
                self.write("k.cl", "kernel void k(global int* in, global int* out, local int* l) {\n"
                                   f"  const int i = get_local_id(0);\n{body}}}\n")
                error = self.run_("k.cl", "-g", 4, "-l", 4, "-a", "in=int:fill:3:4", "-a", "out=int:zero:4", "-a", "l=local:16",
                                  "--check", "race", "--build-options=-O0", code=4).stderr
                self.assertEqual(re.findall(r"error\[TSP-R0100\]: (.*)", error), [message])
                self.assertRegex(error, r"\n  = work-group: \(0,0,0\); \d+ times in all\n")
                self.assertEqual(re.findall(r"^help: (.*)", error, re.MULTILINE), [text])

    @needs_compiler
    def test_asynchronous_copies_of_work_groups_race(self):
        self.write("k.cl", "kernel void k(global int* out, local int* l) {\n  for (int i = 0; i < 4; ++i) l[i] = get_group_id(0);\n"
                           "  event_t e = async_work_group_copy(out, l, 4, 0);\n  wait_group_events(1, &e);\n}\n")
        error = self.run_("k.cl", "-g", 2, "-l", 1, "-a", "out=int:zero:4", "-a", "l=local:16", "--check", "race", code=4).stderr
        self.assertIn("asynchronous copy to buffer 'out' races with an asynchronous copy of another work-group\n", error)
        self.assertIn("races with: asynchronous copy at k.cl:3:15 in 'k' by work-group (0,0,0)\n", error)
        self.assertIn("help: one instruction made both: each work-group needs a place of its own\n", error)

    @needs_compiler
    def test_races_of_atomics_name_their_scopes(self):
        need = "help: both atomics need one scope that holds the two work-items: memory_scope_"
        for stored, loaded, group, reason, scope in [
                ("device", "work_group", 64, "their scopes are memory_scope_work_group and memory_scope_device", "device"),
                ("work_group", "work_group", 32, "memory_scope_work_group does not hold both work-items", "device"),
                ("work_item", "work_item", 64, "memory_scope_work_item does not hold both work-items", "work_group"),
                ("work_item", "all_svm_devices", 32,
                 "their scopes are memory_scope_all_svm_devices and memory_scope_work_item", "all_svm_devices")]:
            with self.subTest(stored=stored, loaded=loaded):
                self.write("k.cl", "kernel void k(global atomic_int* f, global int* out) {\n"
                                   "  if (get_global_id(0) == 0)\n"
                                   f"    atomic_store_explicit(f, 1, memory_order_release, memory_scope_{stored});\n"
                                   "  if (get_global_id(0) == 40)\n"
                                   f"    *out = atomic_load_explicit(f, memory_order_acquire, memory_scope_{loaded});\n}}\n")
                error = self.run_("k.cl", "-g", 64, "-l", group, "-a", "f=int:zero:1", "-a", "out=int:zero:1", "--check", "race",
                                  "--build-options=-cl-std=CL2.0", code=4).stderr
                self.assertEqual(
                    re.findall(r"error\[TSP-R0100\]: (.*)", error),
                    [f"4-byte atomic load of buffer 'f' races with an atomic store of another work-item, for {reason}"])
                self.assertIn("races with: atomic store at k.cl:3:5 in 'k' by work-item global (0,0,0)", error)
                self.assertIn(need + scope + "\n", error)

    @needs_compiler
    def test_races_between_kernels(self):
        first = "out[get_global_id(0)] = 5;"
        wait = "CLK_ENQUEUE_FLAGS_WAIT_KERNEL puts what a kernel enqueues behind all that the kernel itself does"
        event = "the event of the one in the wait list of the other orders the two"
        item = "global (0,0,0), group (0,0,0), local (0,0,0)"
        enqueue = "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_{}, ndrange_1D(4), ^{{ {} }});\n"
        for body, theirs, help_text in [
                (enqueue.format("NO_WAIT", first) + "  in[0] = out[1];\n", rf"load at k\.cl:4:11 in 'k' by work-item {item}", wait),
                (enqueue.format("WAIT_KERNEL", first) + enqueue.format("WAIT_KERNEL", "in[0] = out[get_global_id(0)];"),
                 rf"store at k\.cl:3:\d+ in '\w+', called at k\.cl:3(?::\d+)? in '\w+' by work-item {item}", event)]:
            with self.subTest(body=body):
                self.write("k.cl", f"kernel void k(global int* in, global int* out) {{\n  if (get_global_id(0) != 0) return;\n{body}}}\n")
                error = self.run_("k.cl", "-g", 4, "-l", 4, "-a", "in=int:zero:4", "-a", "out=int:zero:4", "--check", "race",
                                  "--build-options=-cl-std=CL2.0", code=4).stderr
                found = next(each for each in re.split(r"^(?=error)", error, flags=re.M) if "[TSP-R0102]" in each)
                self.assertRegex(found, "races with: " + theirs.replace("(0,0,0)", r"\(0,0,0\)") + r"\n")
                self.assertIn(f"help: {help_text}\n", found)


if __name__ == "__main__":
    main()
