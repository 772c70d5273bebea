// Three nested loops whose bounds depend on the lane and on the outer counters.
//! kernel test
//! global 130
//! arg out = uint:zero:130
//! # vary: local
//! expect out[0..21] = 0 0 0 0 1 3 0 1 245 234 243 245 0 63 644 955 3326 3478 0 126 1680 3196
//! expect out[22..43] = 5618 7530 0 400 2290 4548 0 0 0 0 3 0 1 3 0 20 245 234 1191 1304 0 63
//! expect out[44..64] = 1130 1969 3326 3478 0 250 1680 3196 8022 12110 0 400 0 0 0 0 0 1 3 0 243
//! expect out[65..81] = 245 0 20 644 955 1191 1304 0 126 1130 1969 5618 7530 0 250 2290 4548
//! expect out[82..103] = 8022 12110 0 0 0 0 1 3 0 1 245 234 243 245 0 63 644 955 3326 3478 0 126
//! expect out[104..124] = 1680 3196 5618 7530 0 400 2290 4548 0 0 0 0 3 0 1 3 0 20 245 234 1191
//! expect out[125..129] = 1304 0 63 1130 1969
kernel void test(global uint* out) {
  uint n = get_global_id(0);
  uint sum = 0;
  for (uint i = 0; i < n % 6; i++)
    for (uint j = i; j < (n >> 2) % 7; j++) {
      uint k = 0;
      while (k * k < i + j + n % 3) {
        sum += i * 100 + j * 10 + k;
        k++;
      }
      sum ^= k;
    }
  out[n] = sum;
}
