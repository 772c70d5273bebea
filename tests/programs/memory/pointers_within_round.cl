// Pointers to variables of a loop's body that are kept and used within one round, and to variables around the loop that are
// used in all rounds: no access is out of order, whatever its address went through.
//! options -cl-std=CL2.0
//! global 70
//! check all
//! arg out = uint:zero:70
//! arg n = 5
//! expect out = uint:fill:160:70
typedef struct { uint* at; } Kept;
uint read(Kept* kept) { return *kept->at; }
void keep(Kept* kept, uint* at) { kept->at = at; }

kernel void test(global uint* out, uint n) {
  uint around = 1, sum = 0;
  uint* to = &around;
  Kept outside;
  keep(&outside, &around);
  for (uint i = 0; i < n; ++i) {
    uint x = i, y = 2;
    uint* one = i & 1 ? &x : &y;  // 2, 1, 2, 3, 2
    sum += *one;
    uint* both[2] = {&x, &y};
    *both[i & 1] += 10;  // x 10, y 12, x 12, y 12, x 14
    sum += x + y;        // 12, 13, 14, 15, 16
    Kept kept;
    keep(&kept, both[1]);
    sum += read(&kept);  // 2, 12, 2, 12, 2
    for (uint* p = &x; p != &x + 1; ++p) sum += *p & 0;
    sum += *to + read(&outside);  // 2 each
    for (uint k = 0; k < 2; ++k) {
      uint z = k;
      keep(&kept, &z);
      sum += read(&kept) + *kept.at;  // 0 and 2
      keep(&kept, &x);
    }
  }
  out[get_global_id(0)] = sum + 30;
}
