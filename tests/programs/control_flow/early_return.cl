// Lanes return early at several depths; those that stay go on undisturbed.
//! global 200
//! local 100
//! arg out = uint:fill:7:200
//! expect out[0..38] = 2 1 3 7 16 31 57 92 142 205 7 386 508 651 7 1016 1242 1497 7 2110 2472 2871 7 3796 4326 7 7 25 25 25 7 25 25 25 7 25 7 25 7
//! expect out[39..84] = 25 25 25 7 25 25 25 7 7 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25 7 7 25 25 25 7 25 25 25 7 25 7 25 7 25 25
//! expect out[85..130] = 25 7 25 25 25 7 7 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25 7 7 25 25 25 7 25 25 25 7 25 7 25 7 25 25 25 7
//! expect out[131..176] = 25 25 25 7 7 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25 7 7 25 25 25 7 25 25 25 7 25 7 25 7 25 25 25 7 25 25
//! expect out[177..199] = 25 7 7 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25 25 25 7 25
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
