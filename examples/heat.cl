// One step of heat flowing along a rod whose ends keep their temperature.
kernel void heat(global const float* now, global float* next, float rate) {
  size_t i = get_global_id(0);
  size_t n = get_global_size(0);
  float left = now[i == 0 ? 0 : i - 1];
  float right = now[i == n - 1 ? n - 1 : i + 1];
  next[i] = i == 0 || i == n - 1 ? now[i] : now[i] + rate * (left - 2 * now[i] + right);
}
