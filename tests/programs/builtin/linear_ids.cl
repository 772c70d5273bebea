// get_global_linear_id, get_local_linear_id and get_enqueued_local_size in three dimensions with offsets.
//! options -cl-std=CL2.0
//! global 6,4,3
//! local 3,2,3
//! offset 10,20,30
//! arg out = uint:zero:72
//! arg locals = uint:zero:72
//! expect out = uint:range:0:1:72
//! expect locals[0..11] = 323000 323001 323002 323000 323001 323002 323003 323004 323005 323003 323004 323005
//! expect locals[24..29] = 323006 323007 323008 323006 323007 323008
//! expect locals[66..71] = 323015 323016 323017 323015 323016 323017
kernel void test(global uint* out, global uint* locals) {
  uint x = get_global_id(0) - 10, y = get_global_id(1) - 20, z = get_global_id(2) - 30;
  uint at = (z * 4 + y) * 6 + x;
  out[at] = get_global_linear_id();
  uint size = get_enqueued_local_size(0) * 100 + get_enqueued_local_size(1) * 10 + get_enqueued_local_size(2);
  locals[at] = size * 1000 + get_local_linear_id();
}
