// The tree reduction compiled without optimisation.
//! options -O0
//! kernel reduce
//! global 1024
//! local 256
//! arg in = uint:range:1:1:1024
//! arg out = uint:zero:4
//! arg shared = local:1024
//! expect out = uint:data:32896,98432,163968,229504
kernel void reduce(global const uint* in, global uint* out, local uint* shared) {
  uint l = get_local_id(0);
  shared[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
    if (l < stride) shared[l] += shared[l + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = shared[0];
}
