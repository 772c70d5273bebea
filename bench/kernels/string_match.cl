// Counts the occurrences of several patterns in a text by direct comparison: byte loads, early
// exits and rare global atomics. Pattern p is the bytes starts[p] to starts[p + 1].

__kernel void string_match(__global const uchar* text, uint text_size,
                           __global const uchar* patterns, __global const uint* starts,
                           uint pattern_count, __global uint* matches) {
  uint position = get_global_id(0);
  if (position >= text_size) return;
  for (uint p = 0; p < pattern_count; ++p) {
    uint begin = starts[p];
    uint size = starts[p + 1] - begin;
    if (position + size > text_size) continue;
    uint i = 0;
    while (i < size && text[position + i] == patterns[begin + i]) ++i;
    if (i == size) atomic_inc(&matches[p]);
  }
}
