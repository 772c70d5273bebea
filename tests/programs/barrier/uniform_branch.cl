// A barrier inside a branch that all work-items of a group take, and that other groups do not.
//! global 320
//! local 80
//! arg out = uint:zero:320
//! expect out[0..79] = uint:range:0:1
//! expect out[80..159] = uint:range:159:-1
//! expect out[160..239] = uint:range:160:1
//! expect out[240..319] = uint:range:319:-1
kernel void test(global uint* out) {
  local uint shared[80];
  uint l = get_local_id(0), g = get_global_id(0);
  uint r = g;
  if (get_group_id(0) & 1) {
    shared[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    r = shared[79 - l];
  }
  out[g] = r;
}
