// What c_api_test.c and thread_safety_test.cpp launch.
typedef struct { int scale; char bias; } Settings;
typedef struct Node { global struct Node* next; int value; } Node;

kernel void saxpy(global float* y, global const float* x, float a) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}

kernel void sum(global const int* in, global int* out, local int* scratch) {
  size_t l = get_local_id(0);
  scratch[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l != 0) return;
  int total = 0;
  for (size_t i = 0; i < get_local_size(0); ++i) total += scratch[i];
  out[get_group_id(0)] = total;
}

kernel void settings(global int* out, Settings s) { out[get_global_id(0)] = s.scale * 10 + s.bias; }

kernel void ids(global ulong* out) {
  out[0] = get_global_offset(0);
  out[1] = get_global_size(1);
  out[2] = get_local_size(0);
}

kernel void say(int x) { printf("x=%d\n", x); }

kernel void spin(global volatile int* flag) { for (volatile uint i = 0; *flag == 0; ++i); }

kernel void divide(global int* out, int by) { out[0] = 7 / by; }

kernel void pick(global int* out, int at) {
  int values[2][2] = {{1, 2}, {3, 4}};
  out[0] = values[0][at];
}

kernel void walk(global Node* first, global int* out) {
  int total = 0;
  for (global Node* node = first; node != 0; node = node->next) total += node->value;
  out[0] = total;
}

kernel void count(global volatile int* total, int rounds) {
  for (int i = 0; i < rounds; ++i) atomic_inc(total);
}

kernel void waves(global const float* x, global float* exact, global float* native) {
  const size_t i = get_global_id(0);
  exact[i] = sin(x[i]);
  native[i] = native_sin(x[i]);
}

kernel void causes(global int* a) {
  const int i = a[get_global_id(0) + 4];
  a[i - 1] = 1;
}

kernel void half_size(read_only image2d_t from, sampler_t how, write_only image2d_t to) {
  const int2 at = (int2)(get_global_id(0), 0);
  write_imagef(to, at, read_imagef(from, how, (float2)(2 * at.x + 1, 0.5f)));
}
