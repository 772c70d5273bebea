// The atomic functions of OpenCL C 2.0 in all their forms, on all atomic types. All work-items do the same to the same object, so that
// neither what it ends with nor the sum of what they found depends on who was first. Sums of integers wrap; of float and double it is
// counted who found what was there at first (1000) and who what others had put there (1).
//! options -cl-std=CL2.0
//! kernel test_int
//! global 40
//! arg objects = int:fill:-5:30
//! arg sums = int:zero:30
//! arg own = int:zero:120
//! arg seen = int:zero:160
//! launch
//! expect objects = -2147483533 2147483523 -5 -5 1879048195 -5 1879048195 1879048195 -2147483533 -2147483533 -2147483533 2147483523 -5 -5 1879048195 -5 1879048195 1879048195 -2147483533 -2147483533 -2147483533 2147483523 -5 -5 1879048195 -5 1879048195 1879048195 -2147483533 -2147483533
//! expect sums = 1073743964 -1073744364 -200 1073741564 268435568 -200 268435568 268435568 1073743964 1073743964 1073743964 -1073744364 -200 1073741564 268435568 -200 268435568 268435568 1073743964 1073743964 1073743964 -1073744364 -200 1073741564 268435568 -200 268435568 268435568 1073743964 1073743964
//! expect own[0..39] = range:0:1
//! expect own[40..79] = range:1:1
//! expect own[80..119] = range:2:1
//! expect seen[0..39] = range:0:1
//! expect seen[40..79] = range:1:1
//! expect seen[80..119] = range:2:1
//! expect seen[120..159] = fill:9
//! kernel test_uint
//! global 40
//! arg objects = uint:fill:4000000000:30
//! arg sums = uint:zero:30
//! arg own = uint:zero:120
//! arg seen = uint:zero:160
//! launch
//! expect objects = 1852516472 1852516232 4268435459 4000000000 1610612736 1879048195 4000000000 1879048195 1852516472 1852516472 1852516472 1852516232 4268435459 4000000000 1610612736 1879048195 4000000000 1879048195 1852516472 1852516472 1852516472 1852516232 4268435459 4000000000 1610612736 1879048195 4000000000 1879048195 1852516472 1852516472
//! expect sums = 2159954212 12465884 2965258357 12468284 2389387264 4268435573 1086210048 4268435573 2159954212 2159954212 2159954212 12465884 2965258357 12468284 2389387264 4268435573 1086210048 4268435573 2159954212 2159954212 2159954212 12465884 2965258357 12468284 2389387264 4268435573 1086210048 4268435573 2159954212 2159954212
//! expect own[0..39] = range:0:1
//! expect own[40..79] = range:1:1
//! expect own[80..119] = range:2:1
//! expect seen[0..39] = range:0:1
//! expect seen[40..79] = range:1:1
//! expect seen[80..119] = range:2:1
//! expect seen[120..159] = fill:9
//! kernel test_long
//! global 40
//! arg objects = long:fill:-5:30
//! arg sums = long:zero:30
//! arg own = long:zero:120
//! arg seen = long:zero:160
//! launch
//! expect objects = -9223371521458700093 9223371521458700083 -1 -5 8070450545132830721 -5 8070450545132830725 8070450545132830725 -9223371521458700093 -9223371521458700093 -9223371521458700093 9223371521458700083 -1 -5 8070450545132830721 -5 8070450545132830725 8070450545132830725 -9223371521458700093 -9223371521458700093 -9223371521458700093 9223371521458700083 -1 -5 8070450545132830721 -5 8070450545132830725 8070450545132830725 -9223371521458700093 -9223371521458700093
//! expect sums = 4611696068650864244 -4611696068650864644 -44 4611685760729350004 1152922007118020642 -200 1152922007118020798 1152922007118020798 4611696068650864244 4611696068650864244 4611696068650864244 -4611696068650864644 -44 4611685760729350004 1152922007118020642 -200 1152922007118020798 1152922007118020798 4611696068650864244 4611696068650864244 4611696068650864244 -4611696068650864644 -44 4611685760729350004 1152922007118020642 -200 1152922007118020798 1152922007118020798 4611696068650864244 4611696068650864244
//! expect own[0..39] = range:0:1
//! expect own[40..79] = range:1:1
//! expect own[80..119] = range:2:1
//! expect seen[0..39] = range:0:1
//! expect seen[40..79] = range:1:1
//! expect seen[80..119] = range:2:1
//! expect seen[120..159] = fill:9
//! kernel test_ulong
//! global 40
//! arg objects = ulong:fill:9223372036854775808:30
//! arg sums = ulong:zero:30
//! arg own = ulong:zero:120
//! arg seen = ulong:zero:160
//! launch
//! expect objects = 515396075720 18446743558313475896 17293822581987606533 9223372036854775808 0 8070450545132830725 9223372036854775808 8070450545132830725 515396075720 515396075720 515396075720 18446743558313475896 17293822581987606533 9223372036854775808 0 8070450545132830725 9223372036854775808 8070450545132830725 515396075720 515396075720 515396075720 18446743558313475896 17293822581987606533 9223372036854775808 0 8070450545132830725 9223372036854775808 8070450545132830725 515396075720 515396075720
//! expect sums = 4611696068650864444 13835048005058687172 1152922007118020803 13835058312980201572 9223372036854775808 10376294043972796611 0 10376294043972796611 4611696068650864444 4611696068650864444 4611696068650864444 13835048005058687172 1152922007118020803 13835058312980201572 9223372036854775808 10376294043972796611 0 10376294043972796611 4611696068650864444 4611696068650864444 4611696068650864444 13835048005058687172 1152922007118020803 13835058312980201572 9223372036854775808 10376294043972796611 0 10376294043972796611 4611696068650864444 4611696068650864444
//! expect own[0..39] = range:0:1
//! expect own[40..79] = range:1:1
//! expect own[80..119] = range:2:1
//! expect seen[0..39] = range:0:1
//! expect seen[40..79] = range:1:1
//! expect seen[80..119] = range:2:1
//! expect seen[120..159] = fill:9
//! kernel test_float
//! global 40
//! arg objects = float:fill:2.5:3
//! arg sums = int:zero:3
//! arg own = float:zero:120
//! arg seen = float:zero:160
//! launch
//! expect objects = 0.5 0.5 0.5
//! expect sums = 1039 1039 1039
//! expect own[0..39] = range:0:1
//! expect own[40..79] = range:1:1
//! expect own[80..119] = range:2:1
//! expect seen[0..39] = range:0:1
//! expect seen[40..79] = range:1:1
//! expect seen[80..119] = range:2:1
//! expect seen[120..159] = fill:9
//! kernel test_double
//! global 40
//! arg objects = double:fill:-2.5:3
//! arg sums = int:zero:3
//! arg own = double:zero:120
//! arg seen = double:zero:160
//! launch
//! expect objects = 0.25 0.25 0.25
//! expect sums = 1039 1039 1039
//! expect own[0..39] = range:0:1
//! expect own[40..79] = range:1:1
//! expect own[80..119] = range:2:1
//! expect seen[0..39] = range:0:1
//! expect seen[40..79] = range:1:1
//! expect seen[80..119] = range:2:1
//! expect seen[120..159] = fill:9
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define ORDER memory_order_acq_rel
#define SCOPE memory_scope_device
#define PLAIN(name) atomic_fetch_##name(objects + at, operand)
#define ORDERED(name) atomic_fetch_##name##_explicit(objects + at, operand, ORDER)
#define SCOPED(name) atomic_fetch_##name##_explicit(objects + at, operand, ORDER, SCOPE)
#define FETCHES(form) \
  FOUND(form(add)) FOUND(form(sub)) FOUND(form(or)) FOUND(form(xor)) FOUND(form(and)) FOUND(form(min)) FOUND(form(max))
#define LOOP(type, exchange) \
  {                          \
    type old = 1;            \
    while (!(exchange)) {}   \
    FOUND(old)               \
  }
#define LOADS_AND_STORES(type)                                                                          \
  const int i = get_global_id(0), n = get_global_size(0);                                               \
  local atomic_##type shared;                                                                           \
  if (get_local_id(0) == 0) atomic_init(&shared, (type)9);                                              \
  work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                              \
  seen[3 * n + i] = atomic_load(&shared);                                                               \
  atomic_store(own + i, (type)i);                                                                       \
  atomic_store_explicit(own + n + i, (type)(i + 1), memory_order_release);                              \
  atomic_store_explicit(own + 2 * n + i, (type)(i + 2), memory_order_seq_cst, memory_scope_work_group); \
  seen[i] = atomic_load(own + i);                                                                       \
  seen[n + i] = atomic_load_explicit(own + n + i, memory_order_acquire);                                \
  seen[2 * n + i] = atomic_load_explicit(own + 2 * n + i, memory_order_seq_cst, memory_scope_all_svm_devices);
#define FOUND(value) { atomic_fetch_add(sums + at, value); ++at; }
#define INTEGERS(type, step)                                                                                            \
  kernel void test_##type(global atomic_##type* objects, global atomic_##type* sums,                                    \
                          global atomic_##type* own, global type* seen) {                                               \
    LOADS_AND_STORES(type)                                                                                              \
    const type operand = step;                                                                                          \
    int at = 0;                                                                                                         \
    FETCHES(PLAIN)                                                                                                      \
    FOUND(atomic_exchange(objects + at, operand))                                                                       \
    LOOP(type, atomic_compare_exchange_strong(objects + at, &old, old + operand))                                       \
    LOOP(type, atomic_compare_exchange_weak(objects + at, &old, old + operand))                                         \
    FETCHES(ORDERED)                                                                                                    \
    FOUND(atomic_exchange_explicit(objects + at, operand, ORDER))                                                       \
    LOOP(type, atomic_compare_exchange_strong_explicit(objects + at, &old, old + operand, ORDER, memory_order_acquire)) \
    LOOP(type, atomic_compare_exchange_weak_explicit(objects + at, &old, old + operand, ORDER, memory_order_relaxed))   \
    FETCHES(SCOPED)                                                                                                     \
    FOUND(atomic_exchange_explicit(objects + at, operand, ORDER, SCOPE))                                                \
    LOOP(type, atomic_compare_exchange_strong_explicit(objects + at, &old, old + operand, ORDER, memory_order_acquire,  \
                                                       SCOPE))                                                          \
    LOOP(type, atomic_compare_exchange_weak_explicit(objects + at, &old, old + operand, ORDER, memory_order_relaxed,    \
                                                     SCOPE))                                                            \
  }
#define COUNT(value)                                                                     \
  {                                                                                      \
    const double found = value;                                                          \
    atomic_fetch_add(sums + at, found == operand ? 1 : found == first ? 1000 : 1000000); \
    ++at;                                                                                \
  }
#define FLOATS(type, start, step)                                                 \
  kernel void test_##type(global atomic_##type* objects, global atomic_int* sums, \
                          global atomic_##type* own, global type* seen) {         \
    LOADS_AND_STORES(type)                                                        \
    const type operand = step, first = start;                                     \
    int at = 0;                                                                   \
    COUNT(atomic_exchange(objects + at, operand))                                 \
    COUNT(atomic_exchange_explicit(objects + at, operand, ORDER))                 \
    COUNT(atomic_exchange_explicit(objects + at, operand, ORDER, SCOPE))          \
  }
INTEGERS(int, 0x70000003)
INTEGERS(uint, 0x70000003)
INTEGERS(long, 0x7000000300000005)
INTEGERS(ulong, 0x7000000300000005)
FLOATS(float, 2.5f, 0.5f)
FLOATS(double, -2.5, 0.25)
