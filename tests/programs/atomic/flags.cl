// The functions of atomic_flag in all their forms: of all work-items one finds a flag clear, and after it was cleared again one.
// Flags and objects of the program's scope begin as they were initialized.
//! options -cl-std=CL2.0
//! global 48
//! local 48
//! arg flags = int:zero:6
//! arg first = uint:zero:8
//! arg values = int:zero:2
//! expect first = 2 2 2 2 2 2 1 0
//! expect flags[3..5] = 0 0 0
//! expect values = 42 -7
global atomic_flag guard = ATOMIC_FLAG_INIT;
global atomic_int guide = ATOMIC_VAR_INIT(42);
global atomic_long far = ATOMIC_VAR_INIT(-7);
#define ONCE(at, set) if (!(set)) atomic_fetch_add(first + at, 1);
#define SET                                                                                            \
  ONCE(0, atomic_flag_test_and_set(flags))                                                             \
  ONCE(1, atomic_flag_test_and_set_explicit(flags + 1, memory_order_acquire))                          \
  ONCE(2, atomic_flag_test_and_set_explicit(flags + 2, memory_order_acq_rel, memory_scope_work_group)) \
  ONCE(3, atomic_flag_test_and_set(&shared[0]))                                                        \
  ONCE(4, atomic_flag_test_and_set_explicit(&shared[1], memory_order_seq_cst))                         \
  ONCE(5, atomic_flag_test_and_set_explicit(&shared[2], memory_order_relaxed, memory_scope_work_group))
#define CLEAR(where)                                           \
  atomic_flag_clear(where);                                    \
  atomic_flag_clear_explicit(where + 1, memory_order_release); \
  atomic_flag_clear_explicit(where + 2, memory_order_relaxed, memory_scope_work_group);
#define BOTH CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE
kernel void test(global atomic_flag* flags, global atomic_uint* first, global int* values) {
  local atomic_flag shared[3];
  const bool one = get_local_id(0) == 7;
  if (one) {
    CLEAR(shared)
    CLEAR(flags)
  }
  work_group_barrier(BOTH);
  SET
  work_group_barrier(BOTH);
  if (one) {
    CLEAR(shared)
    CLEAR(flags)
  }
  work_group_barrier(BOTH);
  SET
  ONCE(6, atomic_flag_test_and_set(&guard))
  if (!one) return;
  values[0] = atomic_load(&guide);
  values[1] = (int)atomic_load(&far);
  CLEAR(flags + 3)
}
