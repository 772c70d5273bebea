// What a block may capture: scalars, vectors and structs by their values at that time, pointers to global and constant memory,
// a Boolean, and nothing at all.
//! kernel test
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:16
//! arg table = int:data:100,200,300
//! arg big = 1234567890123
//! arg s = short:-7
//! expect out = 1203 -7 10 26 42 5 -3 200 300 77 22 9 11 12 13 14
//! expect counter = 1
//! expect no faults
typedef struct {
  char tag;
  float4 weights;
  short pair[2];
} Mixed;
constant int kTable[] = {11, 22, 33};
global int counter = 0;

kernel void test(global int* out, constant int* table, long big, short s) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  int4 v = (int4)(10, 26, 42, 0);
  Mixed m;
  m.tag = 5;
  m.weights = (float4)(-1, -1, -0.5f, -0.5f);
  m.pair[0] = 1;
  m.pair[1] = 2;
  const double d = 77.75;
  const float f = 9.5f;
  const bool truth = d > f;
  global int* const behind = out + 12;
  const uint3 odd = (uint3)(11, 12, 13);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
    out[0] = (int)(big / 1000000000) - 34 + m.pair[0] + m.pair[1];
    out[1] = s;
    out[2] = v.x;
    out[3] = v.y;
    out[4] = v.z;
    out[5] = m.tag;
    out[6] = (int)(m.weights.x + m.weights.y + m.weights.z + m.weights.w);
    out[7] = table[1];
    out[8] = table[2];
    out[9] = (int)d;
    out[10] = kTable[1];
    out[11] = (int)f;
    behind[0] = odd.x;
    behind[1] = odd.y;
    behind[2] = odd.z;
    behind[3] = truth ? 14 : 0;
  });
  // The block has the values that were there when it was made.
  v = (int4)(0);
  m.tag = 0;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ ++counter; });
}
