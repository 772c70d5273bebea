// The brightness of pixels, from 0 to 1, as ITU-R BT.601 weighs their colours.
kernel void grey(global const uchar4* pixels, global float* out, int count) {
  int i = get_global_id(0);
  if (i >= count) return;
  out[i] = (0.299f * pixels[i].x + 0.587f * pixels[i].y + 0.114f * pixels[i].z) / 255;
}
