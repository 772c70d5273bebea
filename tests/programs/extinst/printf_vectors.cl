// printf of vectors, longs and a half-filled batch of lanes, under divergent control flow.
//! global 70
//! local 70
//! expect printf "v=1,2,3,4 f=0.5,-1.5 h=1,ff\n"
//! expect printf "l=-123456789012345 ul=18446744073709551615 lx=7fffffffffffffff\n"
//! expect printf "lane 33\n"
//! expect printf "lane 66\n"
kernel void test(void) {
  int n = get_global_id(0);
  if (n == 0) {
    printf("v=%v4hld f=%v2hlg h=%v2hhx\n", (int4)(1, 2, 3, 4), (float2)(0.5f, -1.5f), (uchar2)(1, 255));
    printf("l=%ld ul=%lu lx=%lx\n", -123456789012345L, 0xffffffffffffffffUL, 0x7fffffffffffffffL);
  } else if (n % 33 == 0) {
    printf("lane %d\n", n);
  }
}
