// Pointers to local memory that a launch left in a buffer: nobody's in the next one. So are those to private
// memory; those to a buffer that is an argument again are good.
//! kernel keep
//! global 8
//! local 4
//! buffer kept = ulong:zero:24
//! buffer data = int:range:0:1:8
//! arg kept = buffer kept
//! arg data = buffer data
//! arg l = local:16
//! launch
//! kernel use
//! global 8
//! local 4
//! arg kept = buffer kept
//! arg data = buffer data
//! arg l = local:16
//! arg out = int:fill:9:24
//! expect fault TSP-R0006 on l at 0 line 37
//! expect fault TSP-R0002 at 0 line 38
//! expect out[0..7] = int:zero
//! expect out[8..15] = int:zero
//! expect out[16..23] = 0 1 2 3 4 5 6 7
kernel void keep(global ulong* kept, global int* data, local int* l) {
  size_t n = get_global_id(0);
  int x[2] = {1, 2};
  l[get_local_id(0)] = 7;
  kept[n] = (ulong)(l + get_local_id(0));
  kept[8 + n] = (ulong)(x + (data[n] & 0));
  kept[16 + n] = (ulong)(data + n);
}
kernel void use(global ulong* kept, global int* data, local int* l, global int* out) {
  size_t n = get_global_id(0);
  int x[2] = {3, 4};
  l[get_local_id(0)] = 5 + x[data[n] & 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[n] = *(local int*)kept[n];
  out[8 + n] = *(int*)kept[8 + n];
  out[16 + n] = *(global int*)kept[16 + n];
}
