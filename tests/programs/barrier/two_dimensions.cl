// A tiled transposition: a two-dimensional group shares a tile in local memory.
//! global 48,32
//! local 16,16
//! arg in = uint:range:0:1:1536
//! arg out = uint:zero:1536
//! expect out[0..31] = uint:range:0:48
//! expect out[32..63] = uint:range:1:48
//! expect out[512..543] = uint:range:16:48
//! expect out[1504..1535] = uint:range:47:48
kernel void transpose(global const uint* in, global uint* out) {
  local uint tile[16][17];
  uint lx = get_local_id(0), ly = get_local_id(1);
  uint w = get_global_size(0), h = get_global_size(1);
  tile[ly][lx] = in[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint x = get_group_id(1) * 16 + lx, y = get_group_id(0) * 16 + ly;
  out[y * h + x] = tile[lx][ly];
}
