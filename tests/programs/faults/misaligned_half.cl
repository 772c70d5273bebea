// vloada_half and vstorea_half want the alignment of the whole vector, of 3 that of 4; the plain forms that of one half.
//! global 4
//! arg in = ushort:data:0x3c00,0x4000,0x4200,0x4400,0x4500,0x4600,0x4700,0x4800
//! arg out = ushort:zero:11
//! expect fault TSP-R0023 at 1 line 11
//! expect fault TSP-R0023 at 2
//! expect out = 0x3c00 0x4000 0x4200 0x3c00 0x4000 0x3c00 0x4000 0x4200 0 0x4000 0x4200
kernel void test(global const ushort* in, global ushort* out) {
  int n = get_global_id(0);
  if (n == 0) vstorea_half3(vloada_half3(0, (global const half*)in), 0, (global half*)out);
  if (n == 1) vstorea_half2((float2)(1, 2), 0, (global half*)(out + 3));
  if (n == 2) vstorea_half2(vloada_half2(0, (global const half*)(in + 1)), 0, (global half*)(out + 9));
  if (n == 3) vstore_half3(vload_half3(0, (global const half*)in), 0, (global half*)(out + 5));
}
