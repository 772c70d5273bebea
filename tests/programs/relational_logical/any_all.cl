// any and all of every width and type of integers: only the most significant bit of a component counts. Work-item m makes the
// components whose bit of m is set negative, or the greatest number, where none is negative.
//! global 260  # vary: local
//! arg bad = uint:zero:8
//! expect bad = fill:0
// What the bits of m say themselves: one of the low n is set, all are.
#define SOME(n) ((m & ((1 << n) - 1)) != 0)
#define EVERY(n) ((m & ((1 << n) - 1)) == (1 << n) - 1)
#define CHECK(n)                           \
  wrong += any(vload##n(0, x)) != SOME(n); \
  wrongly += all(vload##n(0, x)) != EVERY(n);
#define TYPE(type, utype, at)                                               \
  {                                                                         \
    const type greatest = (utype)~(utype)0 >> 1;                            \
    type x[16];                                                             \
    for (int i = 0; i < 16; ++i) x[i] = m >> i & 1 ? -1 - i : greatest - i; \
    uint wrong = any(x[0]) != SOME(1), wrongly = all(x[0]) != EVERY(1);     \
    CHECK(2) CHECK(3) CHECK(4) CHECK(8) CHECK(16)                           \
    if (wrong) atomic_add(&bad[at], wrong);                                 \
    if (wrongly) atomic_add(&bad[at + 1], wrongly);                         \
  }
kernel void test(global uint* bad) {
  const uint id = get_global_id(0);
  const int m = id < 256 ? id : id == 256 ? 0xffff : id == 257 ? 0x8000 : id == 258 ? 0x7fff : 0xfeff;
  TYPE(char, uchar, 0)
  TYPE(short, ushort, 2)
  TYPE(int, uint, 4)
  TYPE(long, ulong, 6)
}
