// Adds up a row in tiles, of which each part of the work-group has one, and skips tiles before its own.
kernel void tiles(global const float* in, global float* out, uint n) {
  local float tile[64];
  float sum = 0;
  const uint l = get_local_id(0);
  for (uint at = 0; at < n; ++at) {
    sum += in[64 * at + l % 64];
    if (at < l / 64) continue;
    tile[l % 64] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[63 - l % 64];
  }
  out[get_global_id(0)] = sum;
}
