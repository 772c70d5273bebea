// Every integer function on scalars of all integer types, at the types' ends and between; results by exact arithmetic.
//! options -cl-std=CL2.0
//! kernel test_char
//! global 6
//! arg x = char:data:0,-128,127,5,-7,100
//! arg y = char:data:-128,127,127,-3,5,100
//! arg z = char:data:1,2,127,-100,11,27
//! arg out = char:zero:84
//! arg magnitudes = uchar:zero:12
//! arg joined = short:zero:6
//! launch
//! expect out[0..5] = 8 0 1 5 0 1
//! expect out[6..11] = 8 7 0 0 0 2
//! expect out[12..17] = 0 1 7 2 6 3
//! expect out[18..23] = -128 -1 127 2 -2 127
//! expect out[24..29] = 127 -128 0 8 -12 0
//! expect out[30..35] = -64 -1 127 1 -1 100
//! expect out[36..41] = -64 0 127 1 -1 100
//! expect out[42..47] = 0 -64 63 -1 -1 39
//! expect out[48..53] = 0 64 -65 -96 63 70
//! expect out[54..59] = 0 127 127 5 5 100
//! expect out[60..65] = -128 -128 127 -3 -7 100
//! expect out[66..71] = 0 2 127 -3 5 100
//! expect out[72..77] = 1 -62 -66 -101 10 66
//! expect out[78..83] = 1 -128 127 -115 -24 127
//! expect magnitudes[0..5] = 0 128 127 5 7 100
//! expect magnitudes[6..11] = 128 255 0 8 12 0
//! expect joined = 128 -32641 32639 1533 -1787 25700
//! kernel test_uchar
//! global 6
//! arg x = uchar:data:0,0,255,5,249,100
//! arg y = uchar:data:0,255,255,253,5,100
//! arg z = uchar:data:1,2,255,156,11,27
//! arg out = uchar:zero:84
//! arg magnitudes = uchar:zero:12
//! arg joined = ushort:zero:6
//! launch
//! expect out[0..5] = 8 8 0 5 0 1
//! expect out[6..11] = 8 8 0 0 0 2
//! expect out[12..17] = 0 0 8 2 6 3
//! expect out[18..23] = 0 255 255 255 254 200
//! expect out[24..29] = 0 0 0 0 244 0
//! expect out[30..35] = 0 127 255 129 127 100
//! expect out[36..41] = 0 128 255 129 127 100
//! expect out[42..47] = 0 0 254 4 4 39
//! expect out[48..53] = 0 0 255 160 63 70
//! expect out[54..59] = 0 255 255 253 249 100
//! expect out[60..65] = 0 0 255 5 5 100
//! expect out[66..71] = 0 2 255 156 11 100
//! expect out[72..77] = 1 2 253 160 15 66
//! expect out[78..83] = 1 2 255 255 255 255
//! expect magnitudes[0..5] = 0 0 255 5 249 100
//! expect magnitudes[6..11] = 0 255 0 248 244 0
//! expect joined = 0 255 65535 1533 63749 25700
//! kernel test_short
//! global 6
//! arg x = short:data:0,-32768,32767,5,-7,100
//! arg y = short:data:-32768,32767,32767,-3,13,100
//! arg z = short:data:1,2,32767,-100,11,27
//! arg out = short:zero:84
//! arg magnitudes = ushort:zero:12
//! arg joined = int:zero:6
//! launch
//! expect out[0..5] = 16 0 1 13 0 9
//! expect out[6..11] = 16 15 0 0 0 2
//! expect out[12..17] = 0 1 15 2 14 3
//! expect out[18..23] = -32768 -1 32767 2 6 200
//! expect out[24..29] = 32767 -32768 0 8 -20 0
//! expect out[30..35] = -16384 -1 32767 1 3 100
//! expect out[36..41] = -16384 0 32767 1 3 100
//! expect out[42..47] = 0 -16384 16383 -1 -1 0
//! expect out[48..53] = 0 16384 -16385 -24576 16383 1600
//! expect out[54..59] = 0 32767 32767 5 13 100
//! expect out[60..65] = -32768 -32768 32767 -3 -7 100
//! expect out[66..71] = 0 2 32767 -3 11 100
//! expect out[72..77] = 1 -16382 -16386 -101 10 27
//! expect out[78..83] = 1 -32768 32767 -115 -80 10027
//! expect magnitudes[0..5] = 0 32768 32767 5 7 100
//! expect magnitudes[6..11] = 32768 65535 0 8 20 0
//! expect joined = 32768 -2147450881 2147450879 393213 -458739 6553700
//! kernel test_ushort
//! global 6
//! arg x = ushort:data:0,0,65535,5,65529,100
//! arg y = ushort:data:0,65535,65535,65533,13,100
//! arg z = ushort:data:1,2,65535,65436,11,27
//! arg out = ushort:zero:84
//! arg magnitudes = ushort:zero:12
//! arg joined = uint:zero:6
//! launch
//! expect out[0..5] = 16 16 0 13 0 9
//! expect out[6..11] = 16 16 0 0 0 2
//! expect out[12..17] = 0 0 16 2 14 3
//! expect out[18..23] = 0 65535 65535 65535 65535 200
//! expect out[24..29] = 0 0 0 0 65516 0
//! expect out[30..35] = 0 32767 65535 32769 32771 100
//! expect out[36..41] = 0 32768 65535 32769 32771 100
//! expect out[42..47] = 0 0 65534 4 12 0
//! expect out[48..53] = 0 0 65535 40960 16383 1600
//! expect out[54..59] = 0 65535 65535 65533 65529 100
//! expect out[60..65] = 0 0 65535 5 13 100
//! expect out[66..71] = 0 2 65535 65436 13 100
//! expect out[72..77] = 1 2 65533 65440 23 27
//! expect out[78..83] = 1 2 65535 65535 65535 10027
//! expect magnitudes[0..5] = 0 0 65535 5 65529 100
//! expect magnitudes[6..11] = 0 65535 0 65528 65516 0
//! expect joined = 0 65535 4294967295 393213 4294508557 6553700
//! kernel test_int
//! global 6
//! arg x = int:data:0,-2147483648,2147483647,5,-7,100
//! arg y = int:data:-2147483648,2147483647,2147483647,-3,29,100
//! arg z = int:data:1,2,2147483647,-100,11,27
//! arg out = int:zero:84
//! arg magnitudes = uint:zero:12
//! arg joined = long:zero:6
//! arg low = int:zero:12
//! launch
//! expect out[0..5] = 32 0 1 29 0 25
//! expect out[6..11] = 32 31 0 0 0 2
//! expect out[12..17] = 0 1 31 2 30 3
//! expect out[18..23] = -2147483648 -1 2147483647 2 22 200
//! expect out[24..29] = 2147483647 -2147483648 0 8 -36 0
//! expect out[30..35] = -1073741824 -1 2147483647 1 11 100
//! expect out[36..41] = -1073741824 0 2147483647 1 11 100
//! expect out[42..47] = 0 -1073741824 1073741823 -1 -1 0
//! expect out[48..53] = 0 1073741824 -1073741825 -1610612736 1073741823 1600
//! expect out[54..59] = 0 2147483647 2147483647 5 29 100
//! expect out[60..65] = -2147483648 -2147483648 2147483647 -3 -7 100
//! expect out[66..71] = 0 2 2147483647 -3 11 100
//! expect out[72..77] = 1 -1073741822 -1073741826 -101 10 27
//! expect out[78..83] = 1 -2147483648 2147483647 -115 -192 10027
//! expect magnitudes[0..5] = 0 2147483648 2147483647 5 7 100
//! expect magnitudes[6..11] = 2147483648 4294967295 0 8 36 0
//! expect joined = 2147483648 -9223372034707292161 9223372034707292159 25769803773 -30064771043 429496729700
//! expect low[0..5] = 0 8388608 -16777215 0 0 0
//! expect low[6..11] = 1 8388610 2130706432 -100 11 27
//! kernel test_uint
//! global 6
//! arg x = uint:data:0,0,4294967295,5,4294967289,100
//! arg y = uint:data:0,4294967295,4294967295,4294967293,29,100
//! arg z = uint:data:1,2,4294967295,4294967196,11,27
//! arg out = uint:zero:84
//! arg magnitudes = uint:zero:12
//! arg joined = ulong:zero:6
//! arg low = uint:zero:12
//! launch
//! expect out[0..5] = 32 32 0 29 0 25
//! expect out[6..11] = 32 32 0 0 0 2
//! expect out[12..17] = 0 0 32 2 30 3
//! expect out[18..23] = 0 4294967295 4294967295 4294967295 4294967295 200
//! expect out[24..29] = 0 0 0 0 4294967260 0
//! expect out[30..35] = 0 2147483647 4294967295 2147483649 2147483659 100
//! expect out[36..41] = 0 2147483648 4294967295 2147483649 2147483659 100
//! expect out[42..47] = 0 0 4294967294 4 28 0
//! expect out[48..53] = 0 0 4294967295 2684354560 1073741823 1600
//! expect out[54..59] = 0 4294967295 4294967295 4294967293 4294967289 100
//! expect out[60..65] = 0 0 4294967295 5 29 100
//! expect out[66..71] = 0 2 4294967295 4294967196 29 100
//! expect out[72..77] = 1 2 4294967293 4294967200 39 27
//! expect out[78..83] = 1 2 4294967295 4294967295 4294967295 10027
//! expect magnitudes[0..5] = 0 0 4294967295 5 4294967289 100
//! expect magnitudes[6..11] = 0 4294967295 0 4294967288 4294967260 0
//! expect joined = 0 4294967295 18446744073709551615 25769803773 18446744043644780573 429496729700
//! expect low[0..5] = 0 0 4261412865 0 0 0
//! expect low[6..11] = 1 2 4261412864 4294967196 11 27
//! kernel test_long
//! global 6
//! arg x = long:data:0,-9223372036854775808,9223372036854775807,5,-7,100
//! arg y = long:data:-9223372036854775808,9223372036854775807,9223372036854775807,-3,61,100
//! arg z = long:data:1,2,9223372036854775807,-100,11,27
//! arg out = long:zero:84
//! arg magnitudes = ulong:zero:12
//! launch
//! expect out[0..5] = 64 0 1 61 0 57
//! expect out[6..11] = 64 63 0 0 0 2
//! expect out[12..17] = 0 1 63 2 62 3
//! expect out[18..23] = -9223372036854775808 -1 9223372036854775807 2 54 200
//! expect out[24..29] = 9223372036854775807 -9223372036854775808 0 8 -68 0
//! expect out[30..35] = -4611686018427387904 -1 9223372036854775807 1 27 100
//! expect out[36..41] = -4611686018427387904 0 9223372036854775807 1 27 100
//! expect out[42..47] = 0 -4611686018427387904 4611686018427387903 -1 -1 0
//! expect out[48..53] = 0 4611686018427387904 -4611686018427387905 -6917529027641081856 4611686018427387903 6871947673600
//! expect out[54..59] = 0 9223372036854775807 9223372036854775807 5 61 100
//! expect out[60..65] = -9223372036854775808 -9223372036854775808 9223372036854775807 -3 -7 100
//! expect out[66..71] = 0 2 9223372036854775807 -3 11 100
//! expect out[72..77] = 1 -4611686018427387902 -4611686018427387906 -101 10 27
//! expect out[78..83] = 1 -9223372036854775808 9223372036854775807 -115 -416 10027
//! expect magnitudes[0..5] = 0 9223372036854775808 9223372036854775807 5 7 100
//! expect magnitudes[6..11] = 9223372036854775808 18446744073709551615 0 8 68 0
//! kernel test_ulong
//! global 6
//! arg x = ulong:data:0,0,18446744073709551615,5,18446744073709551609,100
//! arg y = ulong:data:0,18446744073709551615,18446744073709551615,18446744073709551613,61,100
//! arg z = ulong:data:1,2,18446744073709551615,18446744073709551516,11,27
//! arg out = ulong:zero:84
//! arg magnitudes = ulong:zero:12
//! launch
//! expect out[0..5] = 64 64 0 61 0 57
//! expect out[6..11] = 64 64 0 0 0 2
//! expect out[12..17] = 0 0 64 2 62 3
//! expect out[18..23] = 0 18446744073709551615 18446744073709551615 18446744073709551615 18446744073709551615 200
//! expect out[24..29] = 0 0 0 0 18446744073709551548 0
//! expect out[30..35] = 0 9223372036854775807 18446744073709551615 9223372036854775809 9223372036854775835 100
//! expect out[36..41] = 0 9223372036854775808 18446744073709551615 9223372036854775809 9223372036854775835 100
//! expect out[42..47] = 0 0 18446744073709551614 4 60 0
//! expect out[48..53] = 0 0 18446744073709551615 11529215046068469760 4611686018427387903 6871947673600
//! expect out[54..59] = 0 18446744073709551615 18446744073709551615 18446744073709551613 18446744073709551609 100
//! expect out[60..65] = 0 0 18446744073709551615 5 61 100
//! expect out[66..71] = 0 2 18446744073709551615 18446744073709551516 61 100
//! expect out[72..77] = 1 2 18446744073709551613 18446744073709551520 71 27
//! expect out[78..83] = 1 2 18446744073709551615 18446744073709551615 18446744073709551615 10027
//! expect magnitudes[0..5] = 0 0 18446744073709551615 5 18446744073709551609 100
//! expect magnitudes[6..11] = 0 18446744073709551615 0 18446744073709551608 18446744073709551548 0
#define BEGIN(type) size_t at = get_global_id(0); const type v = x[at], w = y[at], k = z[at];
#define PUT(value) { out[at] = (value); at += 6; }
#define COMMON                                                                                   \
  PUT(clz(v)) PUT(ctz(v)) PUT(popcount(v)) PUT(add_sat(v, w)) PUT(sub_sat(v, w)) PUT(hadd(v, w)) \
  PUT(rhadd(v, w)) PUT(mul_hi(v, w)) PUT(rotate(v, w)) PUT(max(v, w)) PUT(min(v, w))             \
  PUT(clamp(v, min(w, k), max(w, k))) PUT(mad_hi(v, w, k)) PUT(mad_sat(v, w, k))                 \
  at = get_global_id(0);                                                                         \
  magnitudes[at] = abs(v);                                                                       \
  magnitudes[at + 6] = abs_diff(v, w);
#define JOINED(utype) joined[at] = upsample(v, (utype)w);
#define LOW low[at] = mul24(v >> 8, w >> 8); low[at + 6] = mad24(v >> 8, w >> 8, k);
#define KERNEL(type, utype, more, rest)                                                                       \
  kernel void test_##type(global const type* x, global const type* y, global const type* z, global type* out, \
                          global utype* magnitudes more) {                                                    \
    BEGIN(type) COMMON rest                                                                                   \
  }
#define WIDE(type) , global type* joined
#define WIDE_LOW(type, own) , global type* joined, global own* low
#define NOTHING
KERNEL(char, uchar, WIDE(short), JOINED(uchar))
KERNEL(uchar, uchar, WIDE(ushort), JOINED(uchar))
KERNEL(short, ushort, WIDE(int), JOINED(ushort))
KERNEL(ushort, ushort, WIDE(uint), JOINED(ushort))
KERNEL(int, uint, WIDE_LOW(long, int), JOINED(uint) LOW)
KERNEL(uint, uint, WIDE_LOW(ulong, uint), JOINED(uint) LOW)
KERNEL(long, ulong, NOTHING, NOTHING)
KERNEL(ulong, ulong, NOTHING, NOTHING)
