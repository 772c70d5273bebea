// A quotient and a remainder of the same operands: the optimiser freezes an operand, for which SPIR-V has no instruction.
//! global 130  # vary: local
//! arg out = uint2:zero:130
//! expect out[0..9] = (0,0) (5,1) (7,1) (8,1) (8,4) (9,1) (9,3) (77,0) (44,0) (33,0)
//! expect out[120..129] = (660,0) (443,2) (335,2) (270,3) (227,2) (196,3) (1386,0) (698,1) (469,1) (354,3)
kernel void test(global uint2* out) {
  uint n = get_global_id(0);
  uint d = n % 7 + 1;
  out[n] = (uint2)(n * 11 / d, n * 11 % d);
}
