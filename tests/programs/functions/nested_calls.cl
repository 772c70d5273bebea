// Calls five deep, with loops and early returns at every level, without inlining by the compiler.
//! global 130  # vary: local
//! arg out = uint:zero:130
//! expect out[0..21] = 10000 8020 14040 12010 2080 100 1120 4140 19160 19180 15110 17190 18190 16190 19170 11150 19010 13030 15190 15210 3130 1190
//! expect out[22..42] = 21150 19150 21010 18190 21190 19210 19180 1210 21190 19210 19010 21180 19020 16170 18210 1190 17160 2190 3010 17150 21190
//! expect out[43..63] = 13120 15170 1030 12130 19210 21010 19210 12160 18210 21190 1210 21180 16120 18010 16210 15180 21120 21160 1180 12210 18150
//! expect out[64..84] = 19010 12172 15214 15151 17128 1200 15162 21164 15026 19048 13221 16139 3209 1169 12177 21145 19011 19123 17149 21151 12203
//! expect out[85..105] = 1209 13225 13185 21011 15229 18039 19201 21168 1231 18209 2201 3011 16228 12192 13177 21181 1049 16146 19139 21011 21135
//! expect out[106..126] = 15209 18202 12227 1213 19193 19171 18011 21141 18226 19151 12229 1201 13208 21192 17011 13171 21138 19162 15146 1188 15211
//! expect out[127..129] = 12225 19011 15047
#define NI __attribute__((noinline))
NI uint f0(uint x) { return x % 7 == 3 ? 1 : x * 2; }
NI uint f1(uint x) {
  uint r = 0;
  for (uint i = 0; i < x % 4; i++) {
    r += f0(x + i);
    if (r > 50) return r;
  }
  return r + 1;
}
NI uint f2(uint x) { return x & 1 ? f1(x) + f0(x) : f1(x / 2); }
NI uint f3(uint x) {
  if (x < 10) return f0(x);
  uint r = f2(x);
  for (uint i = 0; i < 9 && r > 20; i++) r = r / 2 + f1(r) % 16;
  return r;
}
NI uint f4(uint x) { return f3(x) * 10 + (x > 64 ? f3(x - 64) : 0); }
kernel void test(global uint* out) {
  uint n = get_global_id(0);
  out[n] = f4(n) + 1000 * f3(n ^ 5);
}
