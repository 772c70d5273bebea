// Only some work-items read and write; loops leave at different times.
//! global 130  # vary: local
//! arg in = image 2d R SIGNED_INT32 130x1 int:range:0:1
//! arg target = image 2d R SIGNED_INT32 130x1 int:fill:-1
//! expect target[0..7] = -1 0 -1 3 -1 10 -1 21
//! expect target[128..129] = -1 36
//! expect no faults
kernel void test(read_only image2d_t in, write_only image2d_t target) {
  const int i = get_global_id(0);
  if ((i & 1) == 0) return;
  int sum = 0;
  for (int k = 0; k < i % 12; ++k) sum += read_imagei(in, (int2)(k, 0)).x;
  write_imagei(target, (int2)(i, 0), (int4)(sum));
}
