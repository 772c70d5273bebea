// Structs by value without optimisation: hidden copies, results through a pointer.
//! options -O0
//! kernel test
//! global 70
//! arg out = int:zero:70
//! # vary: local
//! expect out[0..11] = 1 45016 54017 143044 20033 81072 90049 195100 40065 117128 126081 247156
//! expect out[12..21] = 60097 153184 162113 299212 80129 189240 198145 351268 100161 225296
//! expect out[22..31] = 234177 403324 120193 261352 270209 455380 140225 297408 306241 507436
//! expect out[32..41] = 160257 333464 342273 559492 180289 369520 378305 611548 200321 405576
//! expect out[42..51] = 414337 663604 220353 441632 450369 715660 240385 477688 486401 767716
//! expect out[52..61] = 260417 513744 522433 819772 280449 549800 558465 871828 300481 585856
//! expect out[62..69] = 594497 923884 320513 621912 630529 975940 340545 657968
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
