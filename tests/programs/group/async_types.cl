// Asynchronous copies of every type and width in both directions, whole and strided, and prefetches: 8 vectors each, of which a
// work-item compares its own. Vectors of three take the room of four.
//! kernel test_char
//! global 16
//! local 8
//! arg in = char:random:11:0:100:512
//! arg out = char:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
//! kernel test_uchar
//! global 16
//! local 8
//! arg in = uchar:random:11:0:100:512
//! arg out = uchar:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
//! kernel test_short
//! global 16
//! local 8
//! arg in = short:random:11:0:100:512
//! arg out = short:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
//! kernel test_ushort
//! global 16
//! local 8
//! arg in = ushort:random:11:0:100:512
//! arg out = ushort:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
//! kernel test_int
//! global 16
//! local 8
//! arg in = int:random:11:0:100:512
//! arg out = int:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
//! kernel test_uint
//! global 16
//! local 8
//! arg in = uint:random:11:0:100:512
//! arg out = uint:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
//! kernel test_long
//! global 16
//! local 8
//! arg in = long:random:11:0:100:512
//! arg out = long:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
//! kernel test_ulong
//! global 16
//! local 8
//! arg in = ulong:random:11:0:100:512
//! arg out = ulong:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
//! kernel test_half
//! global 16
//! local 8
//! arg in = half:random:11:0:100:512
//! arg out = half:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
//! kernel test_float
//! global 16
//! local 8
//! arg in = float:random:11:0:100:512
//! arg out = float:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
//! kernel test_double
//! global 16
//! local 8
//! arg in = double:random:11:0:100:512
//! arg out = double:zero:768
//! arg wrong = uint:zero:6
//! launch
//! expect wrong = fill:0
//! expect out[383] = 0
//! expect out[767] = 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define BOTH CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE
// An element's numbers are beside each other, room apart from the next element's.
#define SAME(to, from, n, room) \
  for (int i = 0; i < n; ++i) bad += ((global const KIND*)(to))[i] != in[(from) * room + i];
// What was in local memory is compared after it was copied back; the strided copy back leaves gaps, where out is 0.
#define WIDTH(type, n, room)                                                 \
  {                                                                          \
    local type* whole = (local type*)space;                                  \
    local type* strided = whole + 8;                                         \
    global const type* source = (global const type*)in;                      \
    global type* target = (global type*)(out + get_group_id(0) * 384);       \
    prefetch(source, 8);                                                     \
    event_t event = async_work_group_copy(whole, source, 8, 0);              \
    event = async_work_group_strided_copy(strided, source, 8, 3, event);     \
    wait_group_events(1, &event);                                            \
    event = async_work_group_copy(target, whole, 8, 0);                      \
    event = async_work_group_strided_copy(target + 8, strided, 8, 2, event); \
    wait_group_events(1, &event);                                            \
    barrier(BOTH);                                                           \
    uint bad = 0;                                                            \
    SAME(target + l, l, n, room)                                             \
    SAME(target + 8 + 2 * l, 3 * l, n, room)                                 \
    if (bad) atomic_add(&wrong[at], bad);                                    \
    ++at;                                                                    \
    barrier(BOTH);                                                           \
  }
#define TEST(type)                                                                       \
  kernel void test_##type(global const type* in, global type* out, global uint* wrong) { \
    local type##16 space[16];                                                            \
    const size_t l = get_local_id(0);                                                    \
    int at = 0;                                                                          \
    WIDTH(type, 1, 1) WIDTH(type##2, 2, 2) WIDTH(type##3, 3, 4) WIDTH(type##4, 4, 4)     \
    WIDTH(type##8, 8, 8) WIDTH(type##16, 16, 16)                                         \
  }
#define KIND char
TEST(char)
#undef KIND
#define KIND uchar
TEST(uchar)
#undef KIND
#define KIND short
TEST(short)
#undef KIND
#define KIND ushort
TEST(ushort)
#undef KIND
#define KIND int
TEST(int)
#undef KIND
#define KIND uint
TEST(uint)
#undef KIND
#define KIND long
TEST(long)
#undef KIND
#define KIND ulong
TEST(ulong)
#undef KIND
#define KIND half
TEST(half)
#undef KIND
#define KIND float
TEST(float)
#undef KIND
#define KIND double
TEST(double)
#undef KIND
