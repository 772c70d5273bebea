// A variable of a loop's body is another one in each round: pointers that were kept from an earlier round, in a variable, in an
// array, in a struct behind a call, and from round to round of the loop around.
//! options -cl-std=CL2.0
//! global 70
//! check ub
//! arg out = uint:zero:70
//! arg n = 3
//! expect fault TSP-R0026 on x at 0 line 22
//! expect fault TSP-R0026 on y at 0 line 29
//! expect fault TSP-R0026 on z at 0 line 14
//! expect fault TSP-R0026 on inner at 0 line 42
//! expect out = uint:fill:7:70
typedef struct { uint* at; } Kept;
uint read(Kept* kept) { return *kept->at; }
void keep(Kept* kept, uint* at) { kept->at = at; }

kernel void test(global uint* out, uint n) {
  uint sum = 7;
  uint* last = 0;
  for (uint i = 0; i < n; ++i) {
    uint x = 5;
    if (last) sum += *last;  // as often as it is no finding
    last = &x;
  }
  uint* all[4] = {0};
  for (uint i = 0; i < n; ++i) {
    uint y[2];
    y[i & 1] = 5, y[1] = 6;
    if (i > 0) sum += *all[i - 1];
    all[i] = y + 1;
  }
  Kept kept;
  for (uint i = 0; i < n; ++i) {
    uint z = 5;
    if (i == 2) sum += read(&kept);
    keep(&kept, &z);
  }
  last = 0;
  for (uint i = 0; i < n; ++i) {
    for (uint k = 0; k < 2; ++k) {
      uint inner = 5;
      if (k == 0 && last) sum += *last;
      last = &inner;
    }
  }
  out[get_global_id(0)] = sum;
}
