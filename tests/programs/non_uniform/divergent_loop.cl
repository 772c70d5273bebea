// Reductions, ballots and scans in a loop that work-items leave one by one, against sums that each makes by itself.
//! options -cl-std=CL2.0
//! global 600  # vary: local
//! local 200
//! arg out = uint:zero:600
//! expect out = uint:fill:1:600
kernel void test(global uint* out) {
  uint g = get_global_id(0), l = get_local_id(0), items = get_local_size(0);
  uint n = (g * 7u + g / 13u) % 5u;
  uint s = 0;
  #pragma unroll 1
  for (uint i = 0; i <= n; ++i) {
    s = s * 3u + sub_group_non_uniform_reduce_add(g & 7u) + (uint)popcount(sub_group_ballot(g & 1u).x) * 16u;
    if ((g + i) % 3u == 0) s += sub_group_non_uniform_scan_exclusive_add(1u);
  }
  uint r = 0, base = l / 32 * 32, end = min(base + 32, items), gb = g - l;
  #pragma unroll 1
  for (uint i = 0; i <= n; ++i) {
    uint a = 0, b = 0, c = 0;
    for (uint k = base; k < end; ++k) {
      uint h = gb + k, m = (h * 7u + h / 13u) % 5u;
      if (m < i) continue;
      a += h & 7u; b += h & 1u;
      if ((h + i) % 3u == 0 && k < l) ++c;
    }
    r = r * 3u + a + b * 16u;
    if ((g + i) % 3u == 0) r += c;
  }
  out[g] = r == s;
}
