// A compare-and-exchange loop: a saturating sum and a float sum, retried by the lanes that lost.
//! global 300  # vary: local
//! arg saturated = uint:zero:1
//! arg sum = float:zero:1:raw
//! expect saturated = uint:data:777
//! expect sum = float:data:44850
kernel void test(global uint* saturated, volatile global uint* sum) {
  uint n = get_global_id(0);
  uint old = *saturated, seen;
  for (;;) {
    uint wanted = min(old + n, 777u);
    seen = atomic_cmpxchg(saturated, old, wanted);
    if (seen == old) break;
    old = seen;
  }
  uint bits = *sum;
  while ((seen = atomic_cmpxchg(sum, bits, as_uint(as_float(bits) + (float)n))) != bits) bits = seen;
}
