// The atomic functions of OpenCL C 1.2 on global and local memory. All work-items do the same to the same object, so that neither what
// it ends with nor the sum of what they found depends on who was first. Sums wrap.
//! kernel test_int
//! global 40
//! local 40
//! arg objects = int:fill:-5:11
//! arg sums = int:zero:22
//! arg ends = int:zero:11
//! launch
//! expect objects = -2147483533 2147483523 -5 1879048195 1879048195 -5 -5 1879048195 35 -45 -2147483533
//! expect ends = -2147483533 2147483523 -5 1879048195 1879048195 -5 -5 1879048195 35 -45 -2147483533
//! expect sums = 1073743964 -1073744364 -200 268435568 268435568 -200 1073741564 268435568 580 -980 1073743964 1073743964 -1073744364 -200 268435568 268435568 -200 1073741564 268435568 580 -980 1073743964
//! kernel test_uint
//! global 40
//! local 40
//! arg objects = uint:fill:4000000000:11
//! arg sums = uint:zero:22
//! arg ends = uint:zero:11
//! launch
//! expect objects = 1852516472 1852516232 1879048195 4000000000 1610612736 4268435459 4000000000 1879048195 4000000040 3999999960 1852516472
//! expect ends = 1852516472 1852516232 1879048195 4000000000 1610612736 4268435459 4000000000 1879048195 4000000040 3999999960 1852516472
//! expect sums = 2159954212 12465884 4268435573 1086210048 2389387264 2965258357 12468284 4268435573 1086210828 1086209268 2159954212 2159954212 12465884 4268435573 1086210048 2389387264 2965258357 12468284 4268435573 1086210828 1086209268 2159954212
//! kernel test_float
//! global 40
//! local 40
//! arg objects = float:fill:-1:1
//! arg found = float:zero:80
//! arg counts = int:zero:4
//! launch
//! expect objects[0] = 3.5
//! expect counts = 1 39 1 39
#define FOUND(form) { const VALUE old = form; atomic_add(sums + at++, old); }
#define ALL(objects)                                                               \
  FOUND(atomic_add(objects, operand)) FOUND(atomic_sub(objects + 1, operand))      \
  FOUND(atomic_min(objects + 2, operand)) FOUND(atomic_max(objects + 3, operand))  \
  FOUND(atomic_and(objects + 4, operand)) FOUND(atomic_or(objects + 5, operand))   \
  FOUND(atomic_xor(objects + 6, operand)) FOUND(atomic_xchg(objects + 7, operand)) \
  FOUND(atomic_inc(objects + 8)) FOUND(atomic_dec(objects + 9))                    \
  {                                                                                \
    VALUE seen = 0, expected;                                                      \
    do {                                                                           \
      expected = seen;                                                             \
      seen = atomic_cmpxchg(objects + 10, expected, expected + operand);           \
    } while (seen != expected);                                                    \
    FOUND(seen)                                                                    \
  }
#define KERNEL(type)                                                                    \
  kernel void test_##type(global type* objects, global type* sums, global type* ends) { \
    local type shared[11];                                                              \
    const int i = get_local_id(0);                                                      \
    const type operand = 0x70000003;                                                    \
    if (i < 11) shared[i] = objects[i];                                                 \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                \
    int at = 0;                                                                         \
    ALL(objects)                                                                        \
    ALL(shared)                                                                         \
    barrier(CLK_LOCAL_MEM_FENCE);                                                       \
    if (i < 11) ends[i] = shared[i];                                                    \
  }
#define VALUE int
KERNEL(int)
#undef VALUE
#define VALUE uint
KERNEL(uint)
// One finds what was there, the others what was put there.
kernel void test_float(global float* objects, global float* found, global int* counts) {
  local float shared;
  const int i = get_local_id(0), n = get_local_size(0);
  if (i == 0) shared = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  found[i] = atomic_xchg(objects, 3.5f);
  found[n + i] = atomic_xchg(&shared, 3.5f);
  atomic_add(counts + (found[i] == 3.5f), found[i] == -1 || found[i] == 3.5f);
  atomic_add(counts + 2 + (found[n + i] == 3.5f), found[n + i] == -1 || found[n + i] == 3.5f);
}
