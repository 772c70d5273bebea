// -cl-fast-relaxed-math only allows less exact results; these are exact all the same.
//! options -cl-fast-relaxed-math -cl-mad-enable
//! global 66  # vary: local
//! arg out = float:zero:66
//! expect out = float:range:3:7.5:66
kernel void test(global float* out) {
  float f = get_global_id(0);
  float g = f * 4.0f + 2.0f;
  out[get_global_id(0)] = g * 1.5f + sqrt(f * f * 2.25f);
}
