// Structs passed and returned by value, nested and with arrays.
//! kernel test
//! global 70
//! arg out = int:zero:70
//! # vary: local
//! expect out = ?
typedef struct { int x, y; } point;
typedef struct { point corner[2]; char tag; long weight; } box;
__attribute__((noinline)) point add(point a, point b) {
  a.x += b.x;
  a.y += b.y;
  return a;
}
__attribute__((noinline)) box grow(box b, int by) {
  b.corner[0] = add(b.corner[0], (point){-by, -by});
  b.corner[1] = add(b.corner[1], (point){by, by});
  b.tag++;
  b.weight *= 3;
  return b;
}
__attribute__((noinline)) int area(box b) {
  return (b.corner[1].x - b.corner[0].x) * (b.corner[1].y - b.corner[0].y);
}
kernel void test(global int* out) {
  int n = get_global_id(0);
  box b = {{{n, 0}, {n + 5, n}}, 'a', n};
  box c = grow(b, n % 4);
  if (n & 1) c = grow(c, 1);
  out[n] = area(b) + 1000 * area(c) + c.tag - b.tag + (int)c.weight;
}
