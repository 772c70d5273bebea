// A packed struct: members sit at unaligned addresses.
//! global 6  # vary: local
//! arg in = bytes:hex:0101000000f401 0202000000e803 0303000000dc05 0404000000d007 0505000000c409 0606000000b80b
//! arg out = bytes:zero:42
//! arg sizes = uint:zero:6
//! expect out = bytes:hex:ff02000000f401 fe04000000e803 fd06000000dc05 fc08000000d007 fb0a000000c409 fa0c000000b80b
//! expect sizes = uint:data:701,702,703,704,705,706
typedef struct __attribute__((packed)) { char a; int b; short c; } packed;
kernel void test(global const packed* in, global packed* out, global uint* sizes) {
  uint n = get_global_id(0);
  packed p = in[n];
  p.a = -p.a;
  p.b *= 2;
  out[n] = p;
  sizes[n] = sizeof(packed) * 100 + in[n].b;
}
