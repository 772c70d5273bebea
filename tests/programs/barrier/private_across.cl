// Private arrays and values of lanes that diverged before keep their contents across barriers.
//! kernel test
//! global 150
//! local 75
//! arg out = uint:zero:150
//! expect out = ?
kernel void test(global uint* out) {
  local uint shared[75];
  uint n = get_global_id(0), l = get_local_id(0);
  uint a[5];
  for (uint i = 0; i < 5; i++) a[i] = n * i;
  uint x = 0;
  for (uint i = 0; i < n % 6; i++) x += a[i % 5] + 1;
  if (n & 1) a[n % 5] = 77;
  shared[l] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint y = shared[(l * 2) % 75];
  if (n % 3 == 0) x ^= 0xff;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[n] = x + y * 3 + a[l % 5];
}
