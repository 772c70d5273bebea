// Fences order what a work-item writes before what it counts: who counts last, of the launch or of its group, finds all numbers.
//! options -cl-std=CL2.0
//! kernel of_1_2
//! global 96
//! local 24
//! arg data = uint:zero:96
//! arg counted = uint:zero:1
//! arg total = uint:zero:5
//! launch
//! # 0 + 1 + ... + 95, and of each group l + 100 for l below 24
//! expect total = 4560 2676 2676 2676 2676
//! kernel of_2_0
//! global 96
//! local 24
//! arg data = uint:zero:96
//! arg counted = uint:zero:1
//! arg total = uint:zero:5
//! expect total = 4560 2676 2676 2676 2676
kernel void of_1_2(volatile global uint* data, global uint* counted, global uint* total) {
  volatile local uint shared[24];
  local uint arrived;
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l == 0) arrived = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  shared[l] = l + 100;
  mem_fence(CLK_LOCAL_MEM_FENCE);
  if (atomic_inc(&arrived) == 23) {
    mem_fence(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 24; ++k) total[1 + get_group_id(0)] += shared[k];
  }
  data[i] = i;
  write_mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_inc(counted) == 95) {
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    for (int k = 0; k < 96; ++k) total[0] += data[k];
  }
}
kernel void of_2_0(global uint* data, global atomic_uint* counted, global uint* total) {
  local uint shared[24];
  local atomic_uint arrived;
  const uint i = get_global_id(0), l = get_local_id(0);
  if (l == 0) atomic_init(&arrived, 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  shared[l] = l + 100;
  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
  if (atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed, memory_scope_work_group) == 23) {
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
    for (int k = 0; k < 24; ++k) total[1 + get_group_id(0)] += shared[k];
  }
  data[i] = i;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
  if (atomic_fetch_add_explicit(counted, 1, memory_order_relaxed, memory_scope_device) == 95) {
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
    for (int k = 0; k < 96; ++k) total[0] += data[k];
  }
}
