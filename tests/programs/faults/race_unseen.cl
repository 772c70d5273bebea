// What --check=race notes has a bound. What is touched beyond it is not looked at, which is told; what was found before is found.
//! global 256
//! local 64
//! check race
//! check-memory 24KiB
//! arg out = uint:zero:8192
//! expect fault TSP-R0100 on out at 1 line 11
//! expect fault TSP-R0100 on out at 1 line 12
//! expect fault TSP-L0010
kernel void test(global uint* out) {
  out[0] = get_global_id(0);
  for (uint i = 1; i < 32; ++i) out[i * 256] = i + get_global_id(0);
}
