// OpenCL C 2.0: functions on generic pointers are given private, local and global ones; to_global and friends.
//! options -cl-std=CL2.0
//! global 128
//! local 64
//! arg data = int:range:0:1:128
//! arg kinds = int:zero:128
//! expect data = int:range:1000:7:128
//! expect kinds[0..3] = 1 2 4 1
//! expect kinds[124..127] = 2 4 1 2
__attribute__((noinline)) int sum3(int* p) { return p[0] + p[1] + p[2]; }
__attribute__((noinline)) void add(int* p, int v) { *p += v; }
kernel void test(global int* data, global int* kinds) {
  local int shared[66];
  int own[3];
  int n = get_global_id(0), l = get_local_id(0);
  own[0] = n;
  own[1] = n * 2;
  own[2] = 0;
  shared[l] = n;
  if (l < 2) shared[64 + l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  add(&own[2], 5);
  add(&data[n], 1000 - 5);
  int total = sum3(own);
  int* any = n % 3 == 0 ? (int*)&data[n] : n % 3 == 1 ? (int*)&shared[l] : (int*)own;
  kinds[n] = (to_global(any) != NULL) + 2 * (to_local(any) != NULL) + 4 * (to_private(any) != NULL);
  barrier(CLK_LOCAL_MEM_FENCE);
  add(&shared[l], total);
  add(&data[n], shared[l] - n);
  data[n] += n * 3;
}
