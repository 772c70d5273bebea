// What fused_rows.py must find: the same sums of products, compiled with permission to fuse them.
float fused_sample(float a, float b, float c) { return a * b + c; }

void fused_sample_pairs(const float* a, const float* b, const float* c, float* d) {
  for (int i = 0; i < 64; i += 2) {
    d[i] = a[i] * b[i] - c[i];
    d[i + 1] = a[i + 1] * b[i + 1] + c[i + 1];
  }
}
