// For bench/group_sizes/measure.py, a module of its own: nothing in it tells how work-items are grouped.
kernel void independent(global float* out) {
  size_t i = get_global_id(0);
  float x = (float)(i & 1023) * 0.001f, y = 0.0f;
  for (int k = 0; k < 64; ++k) {
    y = y * x + 0.5f;
    x = x * 0.999f + y * 0.001f;
  }
  out[i] = y;
}
