// Stores of neighbours to a buffer that the launch declares read-only are all dropped.
//! global 70
//! arg points = float:range:0:1:210 readonly
//! arg sums = float:zero:70
//! expect fault TSP-R0024 on points at 0
//! expect points = float:range:0:1:210
//! expect sums[0..69] = float:range:3:9
typedef struct { float x, y, z; } point;
kernel void test(global point* points, global float* sums) {
  size_t n = get_global_id(0);
  float x = points[n].x, y = points[n].y, z = points[n].z;
  points[n].x = y;
  points[n].y = z;
  points[n].z = x;
  sums[n] = x + y + z;
}
