// Stores of neighbours to a buffer that the launch declares read-only are all dropped.
//! kernel test
//! global 70
//! arg points = float:range:0:1:210 readonly
//! arg sums = float:zero:70
//! expect fault TSP-R0024 on points at 0
//! expect points = float:range:0:1:210
//! expect sums[0..19] = 3 12 21 30 39 48 57 66 75 84 93 102 111 120 129 138 147 156 165 174
//! expect sums[20..36] = 183 192 201 210 219 228 237 246 255 264 273 282 291 300 309 318 327
//! expect sums[37..53] = 336 345 354 363 372 381 390 399 408 417 426 435 444 453 462 471 480
//! expect sums[54..69] = 489 498 507 516 525 534 543 552 561 570 579 588 597 606 615 624
typedef struct { float x, y, z; } point;
kernel void test(global point* points, global float* sums) {
  size_t n = get_global_id(0);
  float x = points[n].x, y = points[n].y, z = points[n].z;
  points[n].x = y;
  points[n].y = z;
  points[n].z = x;
  sums[n] = x + y + z;
}
