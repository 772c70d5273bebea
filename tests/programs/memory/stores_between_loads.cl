// Loads of neighbours with stores to them between, through the same pointer and through another one, and
// stores of neighbours with a load of one of them between.
//! buffer shared = int:range:0:1:74
//! kernel test
//! global 37
//! arg data = int:range:100:1:148
//! arg other = buffer shared
//! arg again = buffer shared
//! # vary: local
//! expect data[0..16] = 100 101 202 102 104 105 210 106 108 109 218 110 112 113 226 114 116
//! expect data[17..33] = 117 234 118 120 121 242 122 124 125 250 126 128 129 258 130 132 133
//! expect data[34..50] = 266 134 136 137 274 138 140 141 282 142 144 145 290 146 148 149 298
//! expect data[51..67] = 150 152 153 306 154 156 157 314 158 160 161 322 162 164 165 330 166
//! expect data[68..84] = 168 169 338 170 172 173 346 174 176 177 354 178 180 181 362 182 184
//! expect data[85..101] = 185 370 186 188 189 378 190 192 193 386 194 196 197 394 198 200 201
//! expect data[102..118] = 402 202 204 205 410 206 208 209 418 210 212 213 426 214 216 217 434
//! expect data[119..135] = 218 220 221 442 222 224 225 450 226 228 229 458 230 232 233 466 234
//! expect data[136..147] = 236 237 474 238 240 241 482 242 244 245 490 246
//! expect shared[0..23] = 5 10 7 14 9 18 11 22 13 26 15 30 17 34 19 38 21 42 23 46 25 50 27 54
//! expect shared[24..46] = 29 58 31 62 33 66 35 70 37 74 39 78 41 82 43 86 45 90 47 94 49 98 51
//! expect shared[47..66] = 102 53 106 55 110 57 114 59 118 61 122 63 126 65 130 67 134 69 138 71
//! expect shared[67..73] = 142 73 146 75 150 77 154
kernel void test(global int* data, global int* other, global int* again) {
  size_t n = get_global_id(0);
  int x = data[4 * n];
  data[4 * n + 1] = x + 1;
  int y = data[4 * n + 1];
  data[4 * n + 2] = y * 2;
  int z = data[4 * n + 2];
  data[4 * n + 3] = z - x;
  int a = other[2 * n];
  again[2 * n + 1] = a + 5;
  int b = other[2 * n + 1];
  other[2 * n] = b;
  int c = again[2 * n];
  other[2 * n + 1] = c + b;
}
