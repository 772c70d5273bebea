// An inclusive prefix sum with two barriers a turn; values live in registers across barriers.
//! global 200
//! local 100
//! arg data = uint:range:1:1:200
//! arg a = local:400
//! expect data[0..9] = 1 3 6 10 15 21 28 36 45 55
//! expect data[90..109] = 4186 4278 4371 4465 4560 4656 4753 4851 4950 5050 101 203 306 410 515 621 728 836 945 1055
//! expect data[190..199] = 13286 13478 13671 13865 14060 14256 14453 14651 14850 15050
kernel void scan(global uint* data, local uint* a) {
  uint l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
  uint x = data[g];
  a[l] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = 1; d < n; d *= 2) {
    uint y = l >= d ? a[l - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    x += y;
    a[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  data[g] = x;
}
