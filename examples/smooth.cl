// Each value becomes the mean of itself and its neighbours, in place: by then some neighbours are the old ones, some the new ones.
//! kernel smooth
//! global 64
//! local 64
//! arg values = float:range:0.0:1.5:64
kernel void smooth(global float* values) {
  const size_t i = get_global_id(0), last = get_global_size(0) - 1;
  const float before = values[i == 0 ? 0 : i - 1], after = values[i == last ? last : i + 1];
  values[i] = (before + values[i] + after) / 3;
}
