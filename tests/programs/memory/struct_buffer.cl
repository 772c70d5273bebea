// A global array of structs: members are read and written at their offsets; padding stays as it was.
//! global 5  # vary: local
//! arg items = bytes:hex:01aaaaaa0200000003aabbcc00000040 02aaaaaa0400000006aabbcc00008040 03aaaaaa0600000009aabbcc0000c040 04aaaaaa080000000caabbcc00000041 05aaaaaa0a0000000faabbcc00002041
//! expect items = bytes:hex:02aaaaaa0300000003aabbcc00008040 04aaaaaa0600000006aabbcc00000041 06aaaaaa0900000009aabbcc00004041 08aaaaaa0c0000000caabbcc00008041 0aaaaaaa0f0000000faabbcc0000a041
typedef struct { uchar tag; uint count; uchar small; float real; } item;
kernel void test(global item* items) {
  uint n = get_global_id(0);
  items[n].count += items[n].tag;
  items[n].tag *= 2;
  items[n].real *= 2;
}
