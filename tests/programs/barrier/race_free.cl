// What barriers, atomics, fences and copies order is no race.
//! options -cl-std=CL2.0
//! kernel reduce
//! global 128
//! local 64
//! check race
//! arg in = uint:range:1:1:128
//! arg out = uint:zero:2
//! launch
//! expect out = 2080 6176
//! kernel last
//! global 128
//! local 32
//! check race
//! arg part = uint:zero:128
//! arg n = uint:zero:1
//! arg out = uint:zero:1
//! launch
//! expect out = uint:data:8128
//! kernel fences
//! global 128
//! local 32
//! check race
//! arg part = uint:zero:128
//! arg n = uint:zero:1
//! arg out = uint:zero:1
//! launch
//! expect out = uint:data:8128
//! kernel copies
//! global 128
//! local 64
//! check race
//! arg in = uint:range:1:1:128
//! arg out = uint:zero:128
//! launch
//! expect out[0..2] = 64 63 62
//! kernel subgroups
//! global 64
//! local 64
//! check race
//! subgroup-size 16
//! arg out = uint:zero:64
//! launch
//! expect out[15..17] = 0 31 30
//! kernel same_value
//! global 100
//! local 50
//! check race
//! arg flag = uint:zero:1
//! expect flag = 1
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void reduce(global const uint* in, global uint* out) {
  local uint t[64];
  const uint l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  for (uint s = 32; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) t[l] += t[l + s];
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
kernel void last(global uint* part, global atomic_uint* n, global uint* out) {
  part[get_global_id(0)] = get_global_id(0);
  if (atomic_fetch_add_explicit(n, 1, memory_order_acq_rel, memory_scope_device) != 127) return;
  uint sum = 0;
  for (int i = 0; i < 128; ++i) sum += part[i];
  out[0] = sum;
}
kernel void fences(global uint* part, global atomic_uint* n, global uint* out) {
  part[get_global_id(0)] = get_global_id(0);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
  if (atomic_fetch_add_explicit(n, 1, memory_order_relaxed, memory_scope_device) != 127) return;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
  uint sum = 0;
  for (int i = 0; i < 128; ++i) sum += part[i];
  out[0] = sum;
}
kernel void copies(global const uint* in, global uint* out) {
  local uint t[64];
  event_t e = async_work_group_copy(t, in + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[63 - get_local_id(0)];
}
kernel void subgroups(global uint* out) {
  local uint t[64];
  const uint l = get_local_id(0);
  t[l] = l;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = t[l / 16 * 16 + 15 - l % 16];
}
kernel void same_value(global uint* flag) { flag[0] = 1; }
