// A private struct whose initial bytes are many and lie in a constant of clang's own, which llvm-spirv puts into
// private memory at module scope: every work-item begins with a copy.
//! options -Xclang -disable-llvm-passes
//! global 70 # vary: local
//! arg out = int:zero:140
//! expect out[0..69] = range:54606:1
//! expect out[70..139] = range:0:1
union Half {
  ushort low;
  int all;
};

struct Table {
  union Half cell[5][7][2];
  int rest[64];
};

kernel void test(global int* out) {
  const int i = get_global_id(0);
  struct Table t = {{{{{0xD54E}}}}, {i}};
  out[i] = t.cell[0][0][0].low + t.cell[4][6][1].low + t.rest[0] + t.rest[63];
  t.cell[i % 5][i % 7][1].all = i;
  out[70 + i] = t.cell[i % 5][i % 7][1].all;
}
