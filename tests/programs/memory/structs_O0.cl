// The arrays of structs without optimisation: all accesses go through private memory.
//! options -O0
//! kernel test
//! global 40
//! arg out = int:zero:240
//! # vary: local
//! expect out[0..17] = 0 99 1 0 132608 80006 1002 99 3 3 198401 80006 2 -101 2 6 264194 80006
//! expect out[18..33] = 1004 -101 4 9 329987 80006 4 -301 6 12 395780 80006 1006 -301 5 15
//! expect out[34..49] = 461573 80006 6 -501 7 18 527366 80006 1008 -501 9 21 593159 80006 8 -701
//! expect out[50..64] = 8 24 658952 80006 1010 -701 10 27 724745 80006 10 -901 12 30 790538
//! expect out[65..78] = 80006 1012 -901 11 33 856331 80006 12 -1101 13 36 922124 80006 1014
//! expect out[79..93] = -1101 15 39 987917 80006 14 -1301 14 42 1053710 80006 1016 -1301 16 45
//! expect out[94..106] = 1119503 80006 16 -1501 18 48 1185296 80006 1018 -1501 17 51 1251089
//! expect out[107..120] = 80006 18 -1701 19 54 1316882 80006 1020 -1701 21 57 1382675 80006 20
//! expect out[121..135] = -1901 20 60 1448468 80006 1022 -1901 22 63 1514261 80006 22 -2101 24 66
//! expect out[136..148] = 1580054 80006 1024 -2101 23 69 1645847 80006 24 -2301 25 72 1711640
//! expect out[149..162] = 80006 1026 -2301 27 75 1777433 80006 26 -2501 26 78 1843226 80006 1028
//! expect out[163..177] = -2501 28 81 1909019 80006 28 -2701 30 84 1974812 80006 1030 -2701 29 87
//! expect out[178..190] = 2040605 80006 30 -2901 31 90 2106398 80006 1032 -2901 33 93 2172191
//! expect out[191..204] = 80006 32 -3101 32 96 2237984 80006 1034 -3101 34 99 2303777 80006 34
//! expect out[205..218] = -3301 36 102 2369570 80006 1036 -3301 35 105 2435363 80006 36 -3501 37
//! expect out[219..231] = 108 2501156 80006 1038 -3501 39 111 2566949 80006 38 -3701 38 114
//! expect out[232..239] = 2632742 80006 1040 -3701 40 117 2698535 80006
typedef struct { char tag; short pair[2]; } small;
typedef struct { int id; float4 place; small parts[3]; double weight; uchar3 colour; } item;
kernel void test(global int* out) {
  int n = get_global_id(0);
  item items[2];
  for (int k = 0; k < 2; k++) {
    items[k].id = n + k;
    items[k].place = (float4)(n, k, 2, 3);
    for (int p = 0; p < 3; p++) {
      items[k].parts[p].tag = p + n;
      items[k].parts[p].pair[0] = n * p;
      items[k].parts[p].pair[1] = k - n;
    }
    items[k].weight = n * 0.5;
    items[k].colour = (uchar3)(n, n + 1, n + 2);
  }
  item copy = items[n & 1];
  items[n & 1].parts[n % 3].pair[1] = 99;
  items[0].colour.y += 5;
  global int* p = out + n * 6;
  p[0] = copy.id + (int)copy.place.y * 1000;
  p[1] = copy.parts[n % 3].pair[1] * 100 + items[n & 1].parts[n % 3].pair[1];
  p[2] = items[1].parts[(n + 1) % 3].tag;
  p[3] = (int)(items[0].weight * 4) + (int)items[1].place.x;
  p[4] = items[0].colour.x + items[0].colour.y * 256 + items[0].colour.z * 65536;
  p[5] = sizeof(item) * 1000 + sizeof(small);
}
