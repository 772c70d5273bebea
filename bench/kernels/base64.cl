// Base64 encoding, three bytes to four characters per work-item; the length is a multiple of 3.

__constant uchar ALPHABET[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__kernel void base64(__global const uchar* input, __global uchar* output, uint triples) {
  size_t i = get_global_id(0);
  if (i >= triples) return;
  uint bits = ((uint)input[3 * i] << 16) | ((uint)input[3 * i + 1] << 8) | input[3 * i + 2];
  output[4 * i] = ALPHABET[bits >> 18];
  output[4 * i + 1] = ALPHABET[(bits >> 12) & 63];
  output[4 * i + 2] = ALPHABET[(bits >> 6) & 63];
  output[4 * i + 3] = ALPHABET[bits & 63];
}
