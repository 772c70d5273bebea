// Packed 8-bit RGB to 8-bit luma with integer weights.

__kernel void rgb_to_gray(__global const uchar* rgb, __global uchar* gray, uint n) {
  size_t i = get_global_id(0);
  if (i >= n) return;
  uchar3 pixel = vload3(i, rgb);
  uint luma = 77 * pixel.x + 150 * pixel.y + 29 * pixel.z + 128;
  gray[i] = (uchar)(luma >> 8);
}
