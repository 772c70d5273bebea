// A loop whose bounds are the same for all lanes (an argument), around a body that diverges.
//! global 100  # vary: local
//! arg out = uint:zero:100
//! arg turns = uint:11
//! expect out[0..99] = uint:range:214:1
kernel void test(global uint* out, uint turns) {
  uint n = get_global_id(0), r = n;
  for (uint i = 0; i < turns; i++) {
    if (i == 3) continue;
    if (turns > 20) break;
    r += r & 1 ? i : i * i;
  }
  out[n] = r;
}
