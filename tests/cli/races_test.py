#!/usr/bin/env python3
"""What findings of data races say: what the two accesses are, and what would have ordered them.

usage: races_test.py TRANSPIRE REPOSITORY
"""
import re

from support import PROGRAMS, Case, main, needs_compiler

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

# The near misses: what stands between the two accesses, and does not order them.
FLAG = """kernel void k(global atomic_int* flag, global int* data) {{
  if (get_global_id(0) == 0) {{
    data[0] = 42;
    {put}
  }} else {{
    while ({get} == 0) {{}}
    {then}
    data[1] = data[0];
  }}
}}
"""
LOCKED = """void take(volatile global atomic_int* lock) {{
  int open = 0;
  while (!atomic_compare_exchange_strong_explicit(lock, &open, 1, memory_order_{take}, memory_order_relaxed, memory_scope_device))
    open = 0;
}}
void give(volatile global atomic_int* lock) {{
  atomic_store_explicit(lock, 0, memory_order_{give}, memory_scope_device);
}}
kernel void k(global atomic_int* locks, global int* data) {{
  global atomic_int* lock = locks + {lock};
  take(lock);
  data[0] += 1;
  give(lock);
}}
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
                 "unrelated": barrier + ": only work-items that the branch at k.cl:9:7 lets through store, and others load it",
                 "last": one + "an atomic function must take its place",
                 "rounds": one + "a barrier with CLK_GLOBAL_MEM_FENCE must part the rounds of the loop"}
        for kernel, text in helps.items():
            with self.subTest(kernel=kernel):
                error = self.run_("k.cl", "-k", kernel, "-g", 4, "-l", 4, "-a", "in=int:zero:4", "-a", "out=int:fill:9:4",
                                  "--check", "race", code=4).stderr
                self.assertEqual(set(re.findall(r"^help: (.*)", error, re.MULTILINE)), {text})

    def helps_of(self, source, *words, standard="CL2.0"):
        self.write("k.cl", source)
        error = self.run_("k.cl", "-k", "k", *words, "--check=race", f"--build-options=-O1 -cl-std={standard}", code=4).stderr
        # Compilers differ in the columns that they give.
        return {re.sub(r"(k\.cl:\d+):\d+", r"\1", text) for text in re.findall(r"^help: (.*)", error, re.MULTILINE)}

    @needs_compiler
    def test_what_a_flag_lacks(self):
        def put(order, scope="device"):
            return f"atomic_store_explicit(flag, 1, memory_order_{order}, memory_scope_{scope});"

        def get(order, scope="device"):
            return f"atomic_load_explicit(flag, memory_order_{order}, memory_scope_{scope})"

        def fence(memory, order, scope="device"):
            return f"atomic_work_item_fence(CLK_{memory}_MEM_FENCE, memory_order_{order}, memory_scope_{scope});"

        load, reads = "the atomic load at k.cl:6", "reads what the atomic store at k.cl:4 stored"
        for parts, text in [
                ((put("relaxed"), get("acquire"), ""), f"{load} {reads}, but that one is relaxed: with memory_order_release it would order the two"),
                ((put("release"), get("relaxed"), ""),
                 f"{load} {reads} and released, but is relaxed itself: with memory_order_acquire it would order the two"),
                ((put("relaxed"), get("relaxed"), ""),
                 f"{load} {reads}, but both are relaxed: memory_order_acquire at the one and memory_order_release at the other would "
                 "order the two"),
                ((fence("LOCAL", "release") + put("relaxed"), get("acquire"), ""),
                 "the fence at k.cl:4 has no CLK_GLOBAL_MEM_FENCE, so the atomic store at k.cl:4 behind it does not release what "
                 "stands in front of it"),
                ((put("release"), get("relaxed"), fence("LOCAL", "acquire")),
                 f"the fence at k.cl:7 has no CLK_GLOBAL_MEM_FENCE, so {load} in front of it does not acquire for what stands behind it"),
                ((fence("GLOBAL", "release", "work_group") + put("relaxed"), get("acquire"), ""),
                 "the atomic load at k.cl:6 reads what the atomic store at k.cl:4 stored, but the scopes of what orders them are "
                 "memory_scope_work_group and memory_scope_device: both need memory_scope_device")]:
            with self.subTest(text):
                source = FLAG.format(put=parts[0], get=parts[1], then=parts[2])
                self.assertEqual(self.helps_of(source, "-g", 2, "-l", 1, "-a", "flag=int:zero:1", "-a", "data=int:zero:2"), {text})
        # In order, there is no finding.
        self.write("k.cl", FLAG.format(put=put("release"), get=get("relaxed"), then=fence("GLOBAL", "acquire")))
        self.run_("k.cl", "-g", 2, "-l", 1, "-a", "flag=int:zero:1", "-a", "data=int:zero:2", "--check=race", "--build-options=-cl-std=CL2.0")

    @needs_compiler
    def test_what_a_lock_lacks(self):
        words = ["-g", 4, "-l", 1, "-a", "locks=int:zero:2", "-a", "data=int:zero:1"]
        take, give = "the atomic read-modify-write at k.cl:3", "the atomic store at k.cl:7"
        for parts, text in [
                (("acquire", "relaxed", "0"),
                 f"{take} reads what {give} stored, but that one is relaxed: with memory_order_release it would order the two"),
                (("relaxed", "relaxed", "0"),
                 f"{take} reads what {give} stored, but both are relaxed: memory_order_acquire at the one and memory_order_release at the "
                 "other would order the two"),
                (("acquire", "release", "get_group_id(0) % 2"),
                 f"{give} is of buffer 'locks', {take} of buffer 'locks', offset 4: two objects order nothing, be they locks or flags, so "
                 "both accesses need the same one")]:
            with self.subTest(text):
                source = LOCKED.format(take=parts[0], give=parts[1], lock=parts[2])
                self.assertEqual(self.helps_of(source, *words), {text})

    @needs_compiler
    def test_a_relaxed_ticket_lock(self):
        source = """kernel void k(global atomic_uint* next, global atomic_uint* serving, global int* data) {
  const uint mine = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
  while (atomic_load_explicit(serving, memory_order_relaxed, memory_scope_device) != mine) {}
  data[0] += 1;
  atomic_fetch_add_explicit(serving, 1, memory_order_relaxed, memory_scope_device);
}
"""
        words = ["-g", 4, "-l", 1, "-a", "next=uint:zero:1", "-a", "serving=uint:zero:1", "-a", "data=int:zero:1"]
        self.assertEqual(self.helps_of(source, *words),
                         {"the atomic load at k.cl:3 reads what the atomic read-modify-write at k.cl:5 stored, but both are relaxed: "
                          "memory_order_acquire at the one and memory_order_release at the other would order the two"})

    @needs_compiler
    def test_atomics_of_opencl_1(self):
        source = """kernel void k(global volatile int* lock, global int* data) {
  while (atomic_cmpxchg(lock, 0, 1) != 0) {}
  FENCE
  data[0] += 1;
  FENCE
  atomic_xchg(lock, 0);
}
"""
        words = ["-g", 4, "-l", 1, "-a", "lock=int:zero:1", "-a", "data=int:zero:1"]
        reads = "the atomic read-modify-write at k.cl:2 reads what the atomic read-modify-write at k.cl:6 stored, but"
        self.assertEqual(self.helps_of(source.replace("FENCE", ""), *words, standard="CL1.2"),
                         {f"{reads} both are relaxed: memory_order_acquire at the one and memory_order_release at the other (OpenCL C 2.0) "
                          "would order the two"})
        self.assertEqual(self.helps_of(source.replace("FENCE", "mem_fence(CLK_GLOBAL_MEM_FENCE);"), *words, standard="CL1.2"),
                         {f"{reads} memory_scope_work_group of the fence at k.cl:5 does not hold both work-items: both need "
                          "memory_scope_device"})

    @needs_compiler
    def test_who_counts_to_the_end(self):
        source = """kernel void k(global int* parts, global atomic_int* done, global int* sum) {
  parts[get_group_id(0)] = get_group_id(0);
  if (atomic_fetch_add_explicit(done, 1, memory_order_relaxed, memory_scope_device) == get_num_groups(0) - 1)
    for (int i = 0; i < get_num_groups(0); ++i) sum[0] += parts[i];
}
"""
        words = ["-g", 3, "-l", 1, "-a", "parts=int:zero:3", "-a", "done=int:zero:1", "-a", "sum=int:zero:1"]
        self.assertEqual(self.helps_of(source, *words),
                         {"the atomic read-modify-write at k.cl:3 reads what it stored for another work-item, but is relaxed: with "
                          "memory_order_acq_rel it would order the two"})
        # A hint on a counter of a loop's rounds would be no help.
        source = """kernel void k(global int* seen, global atomic_int* count, global int* out) {
  for (int i = 0; i < 3; ++i) {
    seen[i] += 1;
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device);
  }
}
"""
        words = ["-g", 2, "-l", 1, "-a", "seen=int:zero:3", "-a", "count=int:zero:1", "-a", "out=int:zero:1"]
        [text] = [text for text in self.helps_of(source, *words) if "of one update" in text]
        self.assertNotIn("relaxed", text)

    @needs_compiler
    def test_release_sequences_and_memories(self):
        source = """kernel void k(global atomic_int* flag, global int* data) {
  if (get_global_id(0) == 0) {
    data[0] = 42;
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  } else if (get_global_id(0) == 1) {
    while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device) == 0) {}
    atomic_store_explicit(flag, 2, memory_order_relaxed, memory_scope_device);
  } else {
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) != 2) {}
    data[1] = data[0];
  }
}
"""
        words = ["-g", 3, "-l", 1, "-a", "flag=int:zero:1", "-a", "data=int:zero:2"]
        self.assertEqual(self.helps_of(source, *words),
                         {"the atomic store at k.cl:7 of another work-item ends the release sequence of the atomic store at k.cl:4, so "
                          "the atomic load at k.cl:9 does not acquire it: an atomic read-modify-write there would continue it"})
        source = """kernel void k(local atomic_int* flag, global int* data) {
  if (get_local_id(0) == 0) atomic_init(flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    data[0] = 42;
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group);
  } else {
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_work_group) == 0) {}
    data[1] = data[0];
  }
}
"""
        self.assertEqual(self.helps_of(source, "-g", 2, "-l", 2, "-a", "flag=local:4", "-a", "data=int:zero:2"),
                         {"the atomic store at k.cl:6 and the atomic load at k.cl:8 order local memory, where their object lies, and no "
                          "other: both with memory_order_seq_cst, or two fences with the flags of both memories, would order the two"})

    @needs_compiler
    def test_a_leader_hands_over(self):
        source = """kernel void k(global int* out) {
  local int found;
  for (int i = 0; i < 2; ++i) {
    if (get_local_id(0) == 0) found = i;
    BEFORE
    out[get_local_id(0)] += found;
    BEHIND
  }
}
"""
        words = ["-g", 4, "-l", 4, "-a", "out=int:zero:4"]
        only = "only work-items that the branch at k.cl:4 lets through store"
        barrier, orders = "barrier(CLK_LOCAL_MEM_FENCE);", "a barrier with CLK_LOCAL_MEM_FENCE between them orders the two"
        for before, behind, text in [
                ("", barrier, f"{orders}: {only}, and others load it"),
                (barrier, "", f"{orders}: {only}, while others may still load what was there"),
                ("mem_fence(CLK_LOCAL_MEM_FENCE);", barrier,
                 f"{orders}: {only}, and others load it; the fence at k.cl:5 makes nobody wait")]:
            with self.subTest(text):
                self.assertEqual(self.helps_of(source.replace("BEFORE", before).replace("BEHIND", behind), *words), {text})

    @needs_compiler
    def test_one_race_is_one_finding(self):
        self.write("k.cl", """kernel void k(global int* data) {
  const int x = data[0];
  data[0] = x + 1 + get_global_id(0);
}
""")
        error = self.run_("k.cl", "-g", 64, "-l", 32, "-a", "data=int:zero:1", "--check=race", code=4).stderr
        pairs = re.findall(r"4-byte (load|store) of buffer 'data' races with a (load|store)", error)
        self.assertEqual(sorted({tuple(sorted(pair)) for pair in pairs}), sorted(tuple(sorted(pair)) for pair in pairs))
        self.assertEqual(len(pairs), 2)

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
        program = (PROGRAMS / "faults" / "race_in_split_barrier.spvasm").read_text()
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
