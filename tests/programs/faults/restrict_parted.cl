// Work-items of a batch that go on without each other, for one waits in a loop, keep what they accessed before they parted.
//! options -cl-std=CL2.0
//! check ub
//! progress fair
//! global 8
//! local 8
//! buffer both = int:data:1,2,3,4,5,6,7,8,0
//! arg a = buffer both
//! arg b = buffer both
//! expect both = 11 12 13 14 15 16 17 18 1
//! expect fault TSP-R0036 on both at 0 line 20
//! expect no faults
kernel void test(global int* restrict a, global int* b) {
  const int i = get_global_id(0);
  volatile global atomic_int* turn = (volatile global atomic_int*)(b + 8);
  const int x = a[i];
  if (i == 0)
    while (atomic_load(turn) != 1) {
    }
  b[i] = x + 10;
  if (i == 7) atomic_store(turn, 1);
}
