// Ways to use a work-group, for bench/group_sizes/measure.py. Each work-item does the same whatever
// the size of its group.

/// The ids of the group are used.
kernel void grouped(global float* out, local float* shared) {
  size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  float x = (float)(i & 1023) * 0.001f, y = (float)get_local_id(0);
  for (int k = 0; k < 64; ++k) {
    y = y * x + 0.5f;
    x = x * 0.999f + y * 0.001f;
  }
  out[i] = y;
}

/// Work-items exchange values through local memory, eight times.
kernel void barriers(global float* out, local float* shared) {
  size_t n = get_local_size(0), l = get_local_id(0);
  float x = (float)l;
  for (int k = 0; k < 8; ++k) {
    shared[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    float y = shared[l + 1 == n ? 0 : l + 1];
    for (int j = 0; j < 8; ++j) x = x * 0.5f + y * 0.25f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = x;
}

/// Work-items of a group add up, eight times.
kernel void collective(global float* out, local float* shared) {
  float x = (float)get_local_id(0);
  for (int k = 0; k < 8; ++k) {
    float y = work_group_reduce_add(x);
    for (int j = 0; j < 8; ++j) x = x * 0.5f + y * 0.25f;
  }
  out[get_global_id(0)] = x;
}
