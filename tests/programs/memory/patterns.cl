// Access patterns of loads and stores: consecutive, reversed, strided, the same for all, gathered, scattered.
//! global 192  # vary: local
//! arg in = uint:range:1000:1:768
//! arg out = uint:zero:1344
//! expect out[0..191] = uint:range:1000:1
//! expect out[192..383] = uint:range:1191:-1
//! expect out[384..575] = uint:range:1000:4
//! expect out[576..767] = uint:fill:1017
//! expect out[768..791] = 1000 1001 1004 1009 1016 1025 1036 1049 1064 1081 1100 1121 1144 1169 1196 1225 1256 1289 1324 1361 1400 1441 1484 1529
//! expect out[792..799] = 1576 1625 1676 1729 1016 1073 1132 1193
//! expect out[960..983] = 1000 1077 1154 1039 1116 1001 1078 1155 1040 1117 1002 1079 1156 1041 1118 1003 1080 1157 1042 1119 1004 1081 1158 1043
//! expect out[984..991] = 1120 1005 1082 1159 1044 1121 1006 1083
//! expect out[1152..1175] = 2023 2022 2023 2023 2018 2018 2018 2018 2032 2032 2032 2032 2027 2027 2027 2027 2004 2004 2005 2004 2000 2000 2000 2000
//! expect out[1176..1183] = 2013 2013 2014 2014 2009 2009 2009 2009
//! expect out[1312..1335] = 2205 2205 2206 2206 2201 2201 2201 2201 2215 2214 2215 2215 2210 2210 2210 2210 2187 2187 2187 2187 2183 2182 2183 2183
//! expect out[1336..1343] = 2196 2196 2197 2196 2192 2192 2192 2192
kernel void test(global const uint* in, global uint* out) {
  uint n = get_global_id(0), size = 192;
  out[n] = in[n];
  out[size + n] = in[size - 1 - n];
  out[2 * size + n] = in[4 * n];
  out[3 * size + n] = in[17];
  out[4 * size + n] = in[n * n % 768];
  out[5 * size + n * 5 % size] = in[n];
  out[6 * size + (n ^ 21)] = in[n / 7] + in[n & ~3u];
}
