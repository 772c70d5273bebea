"""Textbook algorithms of one work-group, each as OpenCL C and as a model in Python, and the kernels that are made of them.

An algorithm works on t, the group's local array of P elements, of which the first n are its work-items'. It begins behind a barrier
and ends with one. A model gets the list and n, and does the same step by step. OP is a sum that wraps for unsigned types, else the
greater one: both give the same bits in any order.
"""
import dataclasses
import typing

HEADER = """
#define STEP(i) for (uint i = l; i < P; i += n)
#define SWAP(i, j) do { T swapped_ = t[i]; t[i] = t[j]; t[j] = swapped_; } while (0)
"""

ROUNDS = 4  # of loops whose optimiser must not know how often they go round

Model = typing.Callable[[list, int, typing.Callable], None]


@dataclasses.dataclass
class Algorithm:
    body: str
    model: Model


@dataclasses.dataclass
class Kernel:
    name: str
    algorithms: tuple[str, ...]
    type: str
    local: int
    asks_again: bool  # calls functions for its ids wherever it needs them: optimisers make other loops of that


def together(t: list, changes: dict) -> None:
    """Stores of one step, in which nobody reads what another one stores."""
    for i, value in changes.items():
        t[i] = value


def doubling(t, n, op):
    s = 1
    while s < n:
        together(t, {l: op(t[l], t[l + s]) for l in range(0, n, 2 * s)})
        s *= 2


def halving(t, n, op):
    s = len(t) // 2
    while s > 0:
        together(t, {l: op(t[l], t[l + s]) for l in range(min(s, n))})
        s //= 2


def folding(t, n, op):
    left = n
    while left > 1:
        half = (left + 1) // 2
        together(t, {l: op(t[l], t[l + half]) for l in range(left // 2)})
        left = half


def leader(t, n, op):
    for i in range(1, n):
        t[0] = op(t[0], t[i])


def inclusive(t, n, op):
    s = 1
    while s < n:
        together(t, {l: op(t[l], t[l - s]) for l in range(s, n)})
        s *= 2


def blelloch(t, n, op):
    size, d = len(t), 1
    while d < size:
        together(t, {i: op(t[i], t[i - d]) for i in range(2 * d - 1, size, 2 * d)})
        d *= 2
    t[size - 1] = 0
    while d > 1:
        d //= 2
        changes = {}
        for i in range(2 * d - 1, size, 2 * d):
            changes[i - d], changes[i] = t[i], op(t[i], t[i - d])
        together(t, changes)


def segments(t, n, op):
    for begin in range(0, n, 5):
        for l in range(begin + 1, min(begin + 5, n)):
            t[l] = op(t[l], t[l - 1])


def transposition(t, n, op):
    t[:n] = sorted(t[:n])


def bitonic(t, n, op):
    t.sort()


def shell(t, n, op):
    gap = power_above(n) // 2
    while gap > 0:
        for column in range(gap):
            t[column:n:gap] = sorted(t[column:n:gap])
        gap //= 2


def radix(t, n, op):
    """By bits 0 to 2 of the rank among all, so that any type will do."""
    rank = [sum(t[j] < t[i] or (t[j] == t[i] and j < i) for j in range(n)) for i in range(n)]
    order = sorted(range(n), key=lambda i: rank[i] & 7)
    t[:n] = [t[i] for i in order]


def heat(t, n, op):
    for _ in range(ROUNDS):
        together(t, {l: op(op(t[l - 1], t[l]), t[l + 1]) for l in range(1, n - 1)})


def red_black(t, n, op):
    for colour in range(ROUNDS):
        together(t, {l: op(t[l - 1], t[l + 1]) for l in range(1, n - 1) if l % 2 == colour % 2})


def ring(t, n, op):
    for distance in range(1, ROUNDS + 1):
        together(t, {l: op(t[(l + distance) % n], t[(l + n - distance % n) % n]) for l in range(n)})


def settle(t, n, op):
    """The greatest value walks to the right over work-items that are no multiples of seven, until nothing changes."""
    for l in range(1, n):
        if l % 7 != 0:
            t[l] = max(t[l], t[l - 1])


def transpose(t, n, op):
    side = 8 if len(t) == 64 else 16
    t[:] = [t[i % side * side + i // side] for i in range(len(t))]


def rotate(t, n, op):
    for s in range(1, ROUNDS + 1):
        together(t, {l: t[(l + s) % n] for l in range(n) if l % 4 != s % 4 or n < 4})


def power_above(n: int) -> int:
    return 1 << max(n - 1, 0).bit_length()


ALGORITHMS = {
    "doubling": Algorithm("""
  for (uint s = 1; s < n; s *= 2) {
    if (l % (2 * s) == 0) t[l] = OP(t[l], t[l + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", doubling),
    "strided": Algorithm("""
  for (uint s = 1; s < n; s *= 2) {
    const uint i = 2 * s * l;
    if (i < n) t[i] = OP(t[i], t[i + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", doubling),
    "halving": Algorithm("""
  for (uint s = P / 2; s > 0; s >>= 1) {
    if (l < s) t[l] = OP(t[l], t[l + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", halving),
    "folding": Algorithm("""
  for (uint left = n; left > 1;) {
    const uint half_of = (left + 1) / 2;
    if (l < left / 2) { t[l] = OP(t[l], t[l + half_of]); }
    barrier(CLK_LOCAL_MEM_FENCE);
    left = half_of;
  }""", folding),
    "leader": Algorithm("""
  if (l == 0)
    for (uint i = 1; i < n; ++i) t[0] = OP(t[0], t[i]);
  barrier(CLK_LOCAL_MEM_FENCE);""", leader),
    "hillis": Algorithm("""
  for (uint s = 1; s < n; s *= 2) {
    T v = t[l];
    if (l >= s) v = OP(v, t[l - s]);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", inclusive),
    "guarded_scan": Algorithm("""
  for (uint s = 1; s < n; s <<= 1) {
    T v = 0;
    if (l >= s) v = t[l - s];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= s) t[l] = OP(t[l], v);
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", inclusive),
    "two_arrays": Algorithm("""
  bool in_u = false;
  for (uint s = 1; s < n; s *= 2) {
    if (in_u) { t[l] = l >= s ? OP(u[l], u[l - s]) : u[l]; }
    else if (l >= s) u[l] = OP(t[l], t[l - s]);
    else u[l] = t[l];
    in_u = !in_u;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (in_u) t[l] = u[l];
  barrier(CLK_LOCAL_MEM_FENCE);""", inclusive),
    "blelloch": Algorithm("""
  uint d = 1;
  for (; d < P; d *= 2) {
    STEP(k) { const uint i = (k + 1) * d * 2 - 1; if (i < P) t[i] = OP(t[i], t[i - d]); }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) t[P - 1] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  while (d > 1) {
    d /= 2;
    STEP(k) {
      const uint i = (k + 1) * d * 2 - 1;
      if (i < P) { const T v = t[i - d]; t[i - d] = t[i]; t[i] = OP(t[i], v); }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", blelloch),
    "segments": Algorithm("""
  for (uint s = 1; s <= rounds; ++s) {
    if (l % 5 == s) t[l] = OP(t[l], t[l - 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", segments),
    "transposition": Algorithm("""
  for (uint i = 0; i < n; ++i) {
    if (l % 2 == i % 2 && l + 1 < n)
      if (t[l] > t[l + 1]) SWAP(l, l + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", transposition),
    "bitonic": Algorithm("""
  for (uint k = 2; k <= P; k *= 2)
    for (uint j = k / 2; j > 0; j /= 2) {
      STEP(i) {
        const uint x = i ^ j;
        if (x > i) { if (((i & k) == 0) == (t[i] > t[x])) SWAP(i, x); }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }""", bitonic),
    "ranks": Algorithm("""
  const T v = t[l];
  uint rank = 0;
  for (uint j = 0; j < n; ++j) if (t[j] < v || (t[j] == v && j < l)) ++rank;
  barrier(CLK_LOCAL_MEM_FENCE);
  t[rank] = v;
  barrier(CLK_LOCAL_MEM_FENCE);""", transposition),
    "shell": Algorithm("""
  for (uint gap = P / 2; gap > 0; gap /= 2) {
    if (l < gap)
      for (uint i = l + gap; i < n; i += gap)
        for (uint k = i; k >= gap && t[k - gap] > t[k]; k -= gap) SWAP(k, k - gap);
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", shell),
    "radix": Algorithm("""
  const T own = t[l];
  uint rank = 0;
  for (uint j = 0; j < n; ++j) if (t[j] < own || (t[j] == own && j < l)) ++rank;
  T v = own;
  for (uint bit = 0; bit < 3; ++bit) {
    c[l] = (rank >> bit & 1) == 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < n; s *= 2) {
      uint sum = c[l];
      if (l >= s) sum += c[l - s];
      barrier(CLK_LOCAL_MEM_FENCE);
      c[l] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    const uint to = (rank >> bit & 1) == 0 ? c[l] - 1 : c[n - 1] + l - c[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[to] = v;
    c[to] = rank;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = t[l];
    rank = c[l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", radix),
    "heat": Algorithm("""
  for (uint i = 0; i < rounds; ++i) {
    T v = t[l];
    if (l > 0 && l + 1 < n) v = OP(OP(t[l - 1], v), t[l + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", heat),
    "guarded_heat": Algorithm("""
  const bool is_inner = l > 0 && l + 1 < n;
  for (uint i = 0; i < rounds; ++i) {
    T v = 0;
    if (is_inner) v = OP(OP(t[l - 1], t[l]), t[l + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_inner) t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", heat),
    "red_black": Algorithm("""
  for (uint colour = 0; colour < rounds; ++colour) {
    if (l % 2 == colour % 2 && l > 0 && l + 1 < n) t[l] = OP(t[l - 1], t[l + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", red_black),
    "ring": Algorithm("""
  for (uint d = 1; d <= rounds; ++d) {
    const T v = OP(t[(l + d) % n], t[(l + n - d % n) % n]);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", ring),
    "settle": Algorithm("""
  for (bool goes_on = true; goes_on;) {
    T v = t[l];
    if (l % 7 != 0 && t[l - 1] > v) v = t[l - 1];
    c[l] = v != t[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
    goes_on = false;
    for (uint k = 0; k < n; ++k) goes_on |= c[k] != 0;
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", settle),
    "transpose": Algorithm("""
  STEP(i) u[i] = t[i % SIDE * SIDE + i / SIDE];
  barrier(CLK_LOCAL_MEM_FENCE);
  STEP(i) t[i] = u[i];
  barrier(CLK_LOCAL_MEM_FENCE);""", transpose),
    "transpose_in_place": Algorithm("""
  STEP(i) { const uint r = i / SIDE, k = i % SIDE; if (r < k) SWAP(i, k * SIDE + r); }
  barrier(CLK_LOCAL_MEM_FENCE);""", transpose),
    "rotate": Algorithm("""
  for (uint s = 1; s <= rounds; ++s) {
    const T v = t[(l + s) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 4 != s % 4 || n < 4) t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }""", rotate),
}

# Kernels with functions of groups and sub-groups, which not all compilers translate.
GROUP_ALGORITHMS = {
    "group_sums": Algorithm("""
  T sum = work_group_reduce_OP(t[l]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < n; s *= 2) {
    if (l % (2 * s) == 0) t[l] = OP(t[l], t[l + s]);
    sum = OP(sum, work_group_reduce_OP(t[l]));
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);""", lambda t, n, op: group_sums(t, n, op)),
    "sub_group_doubling": Algorithm("""
  const uint size = get_sub_group_size(), own = get_sub_group_local_id();
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < size; s *= 2) {
    if (own % (2 * s) == 0 && own + s < size) t[l] = OP(t[l], t[l + s]);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);""", lambda t, n, op: sub_group_doubling(t, n, op)),
    "sub_group_sums": Algorithm("""
  T sum = sub_group_reduce_OP(t[l]);
  for (uint s = 1; s < 16; s *= 2) {
    if (l % (2 * s) == 0) t[l] = OP(t[l], sum);
    sum = sub_group_reduce_OP(t[l]);
  }
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);""", lambda t, n, op: sub_group_sums(t, n, op)),
    "copied_tiles": Algorithm("""
  event_t event = async_work_group_copy(u, in + get_group_id(0) * n, n, 0);
  wait_group_events(1, &event);
  for (uint s = 1; s < n; s *= 2) {
    if (l % (2 * s) == 0) t[l] = OP(t[l], u[l + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_copy(u, in + get_group_id(0) * n, n, 0);
    wait_group_events(1, &event);
  }
  barrier(CLK_LOCAL_MEM_FENCE);""", lambda t, n, op: copied_tiles(t, n, op)),
}


def group_sums(t, n, op):
    def total():
        value = t[0]
        for l in range(1, n):
            value = op(value, t[l])
        return value
    sums, s = total(), 1
    while s < n:
        together(t, {l: op(t[l], t[l + s]) for l in range(0, n, 2 * s)})
        sums = op(sums, total())
        s *= 2
    t[:n] = [sums] * n


def sub_group_doubling(t, n, op):
    for begin in range(0, n, 32):
        size, s = min(32, n - begin), 1
        while s < size:
            together(t, {l: op(t[l], t[l + s]) for l in range(begin, begin + size - s, 2 * s)})
            s *= 2


def sub_group_sums(t, n, op):
    for begin in range(0, n, 32):
        lanes = range(begin, min(begin + 32, n))

        def total():
            value = t[lanes[0]]
            for l in lanes[1:]:
                value = op(value, t[l])
            return value
        value, s = total(), 1
        while s < 16:
            together(t, {l: op(t[l], value) for l in lanes if l % (2 * s) == 0})
            value = total()
            s *= 2
        together(t, {l: value for l in lanes})


def copied_tiles(t, n, op):
    source, s = t[:n] + [0] * (len(t) - n), 1
    while s < n:
        together(t, {l: op(t[l], source[l + s]) for l in range(0, n, 2 * s)})
        s *= 2


TYPES = ("uint", "int", "ulong", "float")
SIZES = (37, 64, 150, 5, 33)


def kernels() -> list[Kernel]:
    """Each algorithm alone, and then two and three of them one behind the other: 40 in all."""
    names = list(ALGORITHMS)
    chosen = [(name,) for name in names]
    for first in range(0, 16, 2):
        chosen.append((names[first], names[(first * 5 + 3) % len(names)]))
    for first in range(9):
        chosen.append((names[(first * 7 + 1) % len(names)], names[(first * 3) % len(names)], names[(first * 11 + 5) % len(names)]))
    return made_of(chosen)


def group_kernels() -> list[Kernel]:
    """For t that no algorithm has changed."""
    return made_of([(name,) for name in GROUP_ALGORITHMS] + [(name, "doubling") for name in GROUP_ALGORITHMS])


def made_of(chosen: list[tuple[str, ...]]) -> list[Kernel]:
    return [Kernel(f"k{i}_" + "_".join(names), names, TYPES[i % len(TYPES)], SIZES[i % len(SIZES)], i % 4 != 1)
            for i, names in enumerate(chosen)]


def algorithm(name: str) -> Algorithm:
    return ALGORITHMS.get(name) or GROUP_ALGORITHMS[name]


def is_sum(kernel: Kernel) -> bool:
    return kernel.type.startswith("u")


def padded(kernel: Kernel) -> int:
    return 64 if kernel.local <= 64 else 256


def source(kernel: Kernel) -> str:
    stages = "".join(f"\n  {{{algorithm(name).body}\n  }}" for name in kernel.algorithms)
    op = "add" if is_sum(kernel) else "max"
    size = padded(kernel)
    asks = kernel.asks_again
    ids = "" if asks else "  const uint l = get_local_id(0), n = get_local_size(0);\n"
    return (f"#undef T\n#undef P\n#undef SIDE\n#undef OP\n#define T {kernel.type}\n#define P {size}u\n"
            f"#define SIDE {8 if size == 64 else 16}u\n"
            f"#define OP(a, b) {'((a) + (b))' if op == 'add' else '((a) > (b) ? (a) : (b))'}\n"
            "#undef l\n#undef n\n" + ("#define l ((uint)get_local_id(0))\n#define n ((uint)get_local_size(0))\n" if asks else "") +
            f"kernel void {kernel.name}(global const T* in, global T* out, uint rounds) {{\n"
            f"  local T t[P], u[P];\n  local uint c[P];\n{ids}"
            "  STEP(i) { t[i] = 0; u[i] = 0; c[i] = 0; }\n"
            "  t[l] = in[get_global_id(0)];\n"
            f"  barrier(CLK_LOCAL_MEM_FENCE);{stages.replace('reduce_OP', 'reduce_' + op)}\n"
            "  out[get_global_id(0)] = t[l];\n}\n")


def result(kernel: Kernel, values: list[int]) -> list[int]:
    """The bits that are right: all numbers are integers that the type has."""
    bits = {"uint": 32, "ulong": 64}.get(kernel.type)

    def op(a, b):
        return (a + b) % 2**bits if bits is not None else max(a, b)
    out = []
    for group in range(0, len(values), kernel.local):
        t = values[group:group + kernel.local] + [0] * (padded(kernel) - kernel.local)
        for name in kernel.algorithms:
            algorithm(name).model(t, kernel.local, op)
        out += t[:kernel.local]
    return out
