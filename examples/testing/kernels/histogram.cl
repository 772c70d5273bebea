// How often each value occurs: counted in the memory of each work-group, and then added up.
//! kernel histogram
//! global 1024
//! local 64
//! arg values = uchar:range:0:1:1024
//! arg bins = uint:zero:16
//! arg mine = local:64
//! expect bins = fill:64
kernel void histogram(global const uchar* values, global uint* bins, local uint* mine) {
  int item = get_local_id(0);
  if (item < 16) mine[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&mine[values[get_global_id(0)] % 16]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 16) atomic_add(&bins[item], mine[item]);
}
