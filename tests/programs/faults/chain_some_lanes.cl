// Chains that leave their object in the last work-items of a batch only, or in those that do not run, or by addresses that are no sequence.
//! check bounds
//! global 128
//! local 128
//! arg from = int:range:0:1:256
//! arg far = int:fill:1:128
//! arg out = long:zero:128
//! expect fault TSP-R0030 on from at 97 line 15
//! expect fault TSP-R0030 on from at 127 line 17
//! expect no faults
kernel void test(global int* from, global int* far, global long* out) {
  const int i = get_global_id(0);
  if (i == 127) far[i] = 300;
  // Just behind the object is in order: of work-item 96.
  long sum = (long)(from + (i + 160));
  if (i < 64) sum += (long)(from + (i + 192));
  sum += (long)(from + far[i]);
  out[i] = sum;
}
