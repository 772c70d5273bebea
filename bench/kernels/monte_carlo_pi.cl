// Monte Carlo estimate of pi: a 64-bit xorshift* generator per work-item, hits counted in
// integers.

__kernel void monte_carlo_pi(__global const ulong* seeds, __global uint* hits, uint samples,
                             uint n) {
  size_t gid = get_global_id(0);
  if (gid >= n) return;
  ulong state = seeds[gid];
  uint inside = 0;
  for (uint i = 0; i < samples; ++i) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    ulong bits = state * 0x2545F4914F6CDD1DUL;
    ulong x = bits >> 33;
    ulong y = bits & 0x7FFFFFFFUL;
    inside += (x * x + y * y) < (1UL << 62) ? 1u : 0u;
  }
  hits[gid] = inside;
}
