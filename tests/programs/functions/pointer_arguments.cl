// Functions that read and write through private, local and global pointers that they are given.
//! options -O1
//! kernel test
//! global 128
//! local 64
//! arg out = int:zero:128
//! expect out[0..12] = 0 9999 20000 30005 40011 49999 59999 60000 60003 21 9990 19989 29992
//! expect out[13..24] = 39996 50002 59990 59989 59990 24 9993 19980 29981 39983 49987 59993
//! expect out[25..37] = 59980 59979 29 9978 19983 29972 39972 49974 59978 59983 59970 36 9965
//! expect out[38..49] = 19968 29975 39963 49963 59965 59968 59973 45 9954 19955 29960 39966
//! expect out[50..61] = 49954 59954 59955 59958 66 9945 19944 29947 39951 49957 59945 59944
//! expect out[62..74] = 59945 69 9936 19935 29938 39942 49948 59936 59935 59936 78 9939 19926
//! expect out[75..86] = 29927 39929 49933 59939 59926 59925 83 9924 19929 29918 39918 49920
//! expect out[87..99] = 59924 59929 59916 90 9911 19914 29921 39909 49909 59911 59914 59919 99
//! expect out[100..111] = 9900 19901 29906 39912 49900 59900 59901 59904 120 9891 19890 29893
//! expect out[112..123] = 39897 49903 59891 59890 59891 123 9894 19881 29882 39884 49888 59894
//! expect out[124..127] = 59881 59880 128 9879
__attribute__((noinline)) void swap_private(int* a, int* b) {
  int t = *a;
  *a = *b;
  *b = t;
}
__attribute__((noinline)) void push(int* array, int* length, int value) {
  if (*length >= 6) return;
  array[(*length)++] = value;
}
__attribute__((noinline)) int sum_local(local int* p, int n) {
  int r = 0;
  for (int i = 0; i < n; i++) r += p[i];
  return r;
}
__attribute__((noinline)) void store(global int* p, int v) { *p = v; }
kernel void test(global int* out) {
  local int shared[64];
  int n = get_global_id(0), l = get_local_id(0);
  int stack[6], length = 0;
  int a = n, b = -n;
  swap_private(&a, &b);
  for (int i = 0; i < n % 9; i++) push(stack, &length, a + i);
  if (length > 2) swap_private(&stack[0], &stack[length - 1]);
  int r = length * 10000 + (length ? stack[0] : b);
  shared[l] = l * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  store(out + n, r + sum_local(shared, l % 5));
}
