// Local variables of several kernels and of a helper macro have names and sizes of their own.
//! kernel second
//! global 64
//! local 32
//! arg out = int:zero:64
//! expect out[0..32] = 960 900 838 782 724 672 618 570 520 476 430 390 348 312 274 242 208 180 150 126 100 80 58 42 24 12 -2 -10 -20 -24 -30 -30 960
//! expect out[33..63] = 900 838 782 724 672 618 570 520 476 430 390 348 312 274 242 208 180 150 126 100 80 58 42 24 12 -2 -10 -20 -24 -30 -30
#define SHARE(type, name, size) local type name[size]
kernel void first(global int* out) {
  SHARE(int, data, 4);
  data[0] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = data[0];
}
kernel void second(global int* out) {
  SHARE(int, data, 32);
  SHARE(char, bytes, 32);
  int l = get_local_id(0);
  data[l] = l * l;
  bytes[l] = -l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = data[31 - l] + bytes[l ^ 1];
}
