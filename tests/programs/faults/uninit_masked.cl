// Bits of a word that are masked out or shifted away need not be defined: a byte of it, as a bitfield has them.
//! global 4
//! check uninit
//! arg in = uint:uninit:4
//! arg out = uint:zero:4
//! expect out = uint:data:5,5,5,5
kernel void test(global uint* in, global uint* out) {
  const uint i = get_global_id(0);
  uint fields[2];
  fields[i & 1] = fields[i & 1] & ~15u | 5;
  global uchar* bytes = (global uchar*)(in + i);
  bytes[1] = 7;
  const uint seven = in[i] >> 8 & 0xff, none = (in[i] & 0xff00) ^ 0x700;
  if ((fields[i & 1] & 15) == 5 && seven == 7 && none == 0) out[i] = fields[i & 1] & 15;
}
