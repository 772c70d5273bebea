// What --check=ub notes of restrict pointers has a bound. What is touched beyond it is not looked at, which is told.
//! check ub
//! global 1
//! check-memory 64KiB
//! buffer both = int:zero:65536
//! arg a = buffer both
//! arg b = buffer both
//! expect fault TSP-R0036 on both at 0 line 12
//! expect fault TSP-L0010
//! expect no faults
kernel void test(global int* restrict a, global int* restrict b) {
  for (int i = 0; i < 65536; i += 16) b[i] = a[i] + 1;
}
