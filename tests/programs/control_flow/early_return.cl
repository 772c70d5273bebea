// Lanes return early at several depths; those that stay go on undisturbed.
//! global 200
//! local 100
//! arg out = uint:fill:7:200
//! expect out[0..20] = 2 1 3 7 16 31 57 92 142 205 7 386 508 651 7 1016 1242 1497 7 2110 2472
//! expect out[21..45] = 2871 7 3796 4326 7 7 25 25 25 7 25 25 25 7 25 7 25 7 25 25 25 7 25 25 25
//! expect out[46..72] = 7 7 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25 7 7 25 25
//! expect out[73..99] = 25 7 25 25 25 7 25 7 25 7 25 25 25 7 25 25 25 7 7 25 25 7 25 25 25 7 25
//! expect out[100..126] = 25 25 7 25 25 25 7 25 25 25 7 25 25 7 7 25 25 25 7 25 25 25 7 25 7 25 7
//! expect out[127..152] = 25 25 25 7 25 25 25 7 7 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25
//! expect out[153..179] = 25 7 25 25 7 7 25 25 25 7 25 25 25 7 25 7 25 7 25 25 25 7 25 25 25 7 7
//! expect out[180..199] = 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25
kernel void test(global uint* out) {
  uint n = get_global_id(0);
  if (n % 11 == 3) return;
  uint r = 0;
  for (uint i = 0; i < n; i++) {
    r += i * i;
    if (r > 5000) {
      out[n] = i;
      return;
    }
    if (i == 9 && n % 4 == 2) return;
  }
  if (n & 1) {
    out[n] = r + 1;
    return;
  }
  out[n] = r + 2;
}
