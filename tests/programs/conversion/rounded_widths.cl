// Conversions of vectors with _sat and rounding modes, of every width: to integers from float, to floats from double. Each component
// is what the conversion of scalars gives. bad[m] counts those of mode m that are not.
//! kernel to_char
//! global 32
//! arg in = float:random:7:-1000:1000:32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
//! kernel to_uchar
//! global 32
//! arg in = float:random:7:-1000:1000:32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
//! kernel to_short
//! global 32
//! arg in = float:random:7:-1000:1000:32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
//! kernel to_ushort
//! global 32
//! arg in = float:random:7:-1000:1000:32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
//! kernel to_int
//! global 32
//! arg in = float:random:7:-1000:1000:32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
//! kernel to_uint
//! global 32
//! arg in = float:random:7:-1000:1000:32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
//! kernel to_long
//! global 32
//! arg in = float:random:7:-1000:1000:32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
//! kernel to_ulong
//! global 32
//! arg in = float:random:7:-1000:1000:32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
//! kernel to_half
//! global 32
//! arg in = double:random:7:-70000:70000:32
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel to_float
//! global 32
//! arg in = double:random:7:-1000:1000:32
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel to_double
//! global 32
//! arg in = double:random:7:-1000:1000:32
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define WIDTH(to, n, mode)                                \
  vstore##n(convert_##to##n##mode(vload##n(0, x)), 0, r); \
  for (int i = 0; i < n; ++i) wrong += r[i] != convert_##to##mode(x[i]);
#define MODE(to, mode)                                                                              \
  {                                                                                                 \
    uint wrong = 0;                                                                                 \
    WIDTH(to, 2, mode) WIDTH(to, 3, mode) WIDTH(to, 4, mode) WIDTH(to, 8, mode) WIDTH(to, 16, mode) \
    if (wrong) atomic_add(&bad[at], wrong);                                                         \
    ++at;                                                                                           \
  }
#define MODES(to, sat) MODE(to, sat##_rte) MODE(to, sat##_rtz) MODE(to, sat##_rtp) MODE(to, sat##_rtn)
#define BEGIN(from, to)              \
    const int id = get_global_id(0); \
    int at = 0;                      \
    from x[16];                      \
    to r[16];                        \
    for (int i = 0; i < 16; ++i) x[i] = in[(id + i) % 32];
// Without _sat numbers must fit: those below 100, of unsigned types none below 0.
#define INTEGERS(to, own)                                         \
  kernel void to_##to(global const float* in, global uint* bad) { \
    BEGIN(float, to)                                              \
    MODE(to, _sat) MODES(to, _sat)                                \
    for (int i = 0; i < 16; ++i) x[i] = own(x[i] * 0.1f);         \
    MODES(to, )                                                   \
  }
#define FLOATS(to)                                                 \
  kernel void to_##to(global const double* in, global uint* bad) { \
    BEGIN(double, to)                                              \
    MODES(to, )                                                    \
  }
INTEGERS(char, )
INTEGERS(uchar, fabs)
INTEGERS(short, )
INTEGERS(ushort, fabs)
INTEGERS(int, )
INTEGERS(uint, fabs)
INTEGERS(long, )
INTEGERS(ulong, fabs)
FLOATS(half)
FLOATS(float)
FLOATS(double)
