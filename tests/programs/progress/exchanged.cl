// Groups exchange data with nothing but barriers of the device's scope and relaxed atomics: each barrier is two fences, which
// order what is before an atomic of one group with what is behind that of another one.
//! options -cl-std=CL2.0
//! kernel exchange
//! global 256
//! local 64
//! check all
//! arg arrived = uint:zero:1
//! arg data = uint:zero:4
//! arg out = uint:zero:4
//! launch
//! expect out = 4 3 2 1
//! expect no faults
//! kernel last_one_adds
//! global 256
//! local 64
//! arg arrived = uint:zero:1
//! arg data = uint:zero:4
//! arg out = uint:zero:4
//! launch
//! expect out[0] = 10
//! expect no faults
kernel void exchange(global atomic_uint* arrived, global uint* data, global uint* out) {
  const uint group = get_group_id(0), groups = get_num_groups(0);
  if (get_local_id(0) == 0) data[group] = group + 1;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  if (get_local_id(0) == 0) {
    atomic_fetch_add_explicit(arrived, 1, memory_order_relaxed, memory_scope_device);
    while (atomic_load_explicit(arrived, memory_order_relaxed, memory_scope_device) < groups) {
    }
  }
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  if (get_local_id(0) == 0) out[group] = data[groups - 1 - group];
}

/// Nobody waits: whoever comes last knows that all others came.
kernel void last_one_adds(global atomic_uint* arrived, global uint* data, global uint* out) {
  const uint group = get_group_id(0), groups = get_num_groups(0);
  local uint before;
  if (get_local_id(0) == 0) data[group] = group + 1;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  if (get_local_id(0) == 0)
    before = atomic_fetch_add_explicit(arrived, 1, memory_order_relaxed, memory_scope_device);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_scope_device);
  if (before + 1 == groups && get_local_id(0) == 0)
    for (uint i = 0; i < groups; ++i) out[0] += data[i];
}
