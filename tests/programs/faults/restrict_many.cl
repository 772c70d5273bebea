// A work-item's accesses are forgotten when it ends: how many there are in a launch, has no bound.
//! check ub
//! check-memory 16MiB
//! global 65536
//! buffer both = int:fill:1:327680
//! arg a = buffer both
//! arg b = buffer both
//! expect fault TSP-R0036 on both at 65535 line 15
//! expect no faults
kernel void test(global int* restrict a, global int* restrict b) {
  const size_t i = get_global_id(0);
  int sum = 0;
  for (int j = 0; j < 4; ++j) sum += a[i * 4 + j];
  b[i + 262144] = sum;
  if (i == 65535) a[i * 4] = b[i * 4];
}
