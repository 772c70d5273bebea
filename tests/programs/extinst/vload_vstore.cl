// vloadn and vstoren of every size from unaligned places, global, local and private.
//! global 70
//! local 70
//! arg in = int:range:0:1:1200
//! arg out = int:zero:1200
//! arg bytes = uchar:range:0:3:1200
//! expect out[0..44] = 0 210 212 16 23 30 0 0 0 24 47 37 54 0 0 0 209 211 38 45 52 0 0 0 56 76 66 83 0 0 0 208 210 60 67 74 0 0 0 88 105 95 112 0 0
//! expect out[45..84] = 0 207 209 82 89 96 0 0 0 120 134 124 141 0 0 0 206 208 104 111 118 0 0 0 152 163 153 170 0 0 0 205 207 126 133 140 0 0 0 184
//! expect out[85..124] = 192 182 199 0 0 0 204 206 148 155 162 0 0 0 216 221 211 228 0 0 0 203 205 58 65 72 0 0 0 136 138 128 145 0 0 0 202 204 80 87
//! expect out[125..139] = 94 0 0 0 168 167 157 174 0 0 0 201 203 102 109
//! expect out[910..946] = 891 881 898 0 0 0 149 151 462 469 476 0 0 0 1080 920 910 927 0 0 0 148 150 484 491 498 0 0 0 1112 949 939 956 0 0 0 147
//! expect out[947..983] = 149 394 401 408 0 0 0 1032 866 856 873 0 0 0 146 148 416 423 430 0 0 0 1064 895 885 902 0 0 0 145 147 438 445 452 0 0 0
//! expect out[984..1020] = 1096 924 914 931 0 0 0 144 146 460 467 474 0 0 0 1128 953 943 960 0 0 0 143 145 482 489 496 0 0 0 1160 982 972 989 0 0 0
//! expect out[1021..1047] = 142 144 504 511 518 0 0 0 1192 1011 1001 1018 0 0 0 141 143 526 533 540 0 0 0 1224 1040 1030 1047
//! expect out[1048..1199] = fill:0
//! expect bytes[0..20] = 0 4 8 12 13 17 21 22 26 30 31 35 39 40 44 48 49 53 57 58 62
//! expect bytes[190..220] = 59 63 67 68 72 76 77 81 85 86 90 94 95 99 103 104 108 112 113 117 121 121 124 127 130 133 136 139 142 145 148
kernel void test(global const int* in, global int* out, global uchar* bytes) {
  local int shared[70 * 3 + 1];
  int own[20];
  int n = get_global_id(0);
  for (int i = 0; i < 20; i++) own[i] = n + i;
  int2 a = vload2(n, in + 1);
  int3 b = vload3(n, in + 2);
  int4 c = vload4(n, in + 3);
  int8 d = vload8(n, in + 5);
  int16 e = vload16(n % 7, in + 7);
  vstore3(b, n, shared + 1);
  vstore4(c, 1, own + 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  int3 f = vload3(69 - n, shared + 1);
  int8 g = vload8(1, own + 1);
  uchar3 h = vload3(n, bytes + 1);
  vstore2(a + f.xy, 0, out + 15 * n + 1);
  vstore3(b * 2 + e.s5af, n * 5 + 1, out);
  vstore4(c + d.hi + g.s0246 + e.s0f1e, n * 3 + 2, out + 1 + 3 * n);
  vstore3(h + (uchar3)(1, 2, 3), n, bytes + 1);
}
