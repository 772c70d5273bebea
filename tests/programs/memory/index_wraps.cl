// Indices in 32 bits that leave the range and come back, on purpose: sums and products modulo 2^32.
//! lenient
//! kernel test
//! global 20,15
//! arg in = int:random:9:-1000:1000:300
//! arg out = int:zero:300
//! arg width = 20
//! arg count = 300
//! arg there = 0xfffffe80
//! arg back = 0x180
//! arg factor = 2654435761
//! arg inverse = 244002641
//! arg limit = 0x7fffffc0
//! arg rest = 128
//! local 4,4
//! launch
//! local 10,15
//! launch
//! local 5,3
//! launch
//! expect out[0..12] = 11313 -3504 10290 2853 -2268 -468 -3990 948 6168 -1302 -6471 1749 11190
//! expect out[13..25] = -5058 -4797 282 -714 -4377 8940 8859 522 -1053 2295 5802 -8529 -4509
//! expect out[26..38] = 7908 -14715 5217 4386 8343 -5505 1524 -7029 -7998 9963 -5982 -159 7440
//! expect out[39..51] = 474 2238 6000 -2982 7689 3720 -216 -2556 7773 -1269 3138 2976 -5136
//! expect out[52..63] = -6603 -804 -60 -3801 1569 -8772 -9261 -13245 -4524 4269 -6696 9357
//! expect out[64..76] = -4365 8748 243 13497 15477 -3309 3801 5283 468 4158 6684 1314 7800
//! expect out[77..88] = -12672 -9348 -4389 14130 -4716 -3033 -2019 -11691 8346 -72 -8220 -1518
//! expect out[89..101] = -7932 5604 8721 7557 8583 3993 8013 4449 10374 3546 3096 4965 1851
//! expect out[102..113] = 5811 -3294 -4665 -4002 9738 1362 -4935 -4872 648 3528 -6507 -4473
//! expect out[114..125] = -1170 1440 9795 7053 -10005 -8265 -3039 10194 6261 3486 -5853 57
//! expect out[126..137] = -2505 -8097 4644 -489 10923 -16509 4371 1125 -735 10143 213 10440
//! expect out[138..149] = -10725 435 -14571 2502 12309 -5934 2964 -5550 -8166 -3666 4116 -5373
//! expect out[150..161] = 8949 3882 -12438 816 -11136 6264 1524 9867 -306 -4395 4413 -14427
//! expect out[162..173] = 12510 -5661 7173 -6099 -693 2457 -11559 6111 8583 10482 -6003 -3861
//! expect out[174..185] = -11457 5373 5796 2397 -1056 -2313 -10941 3285 2847 3027 -1254 3006
//! expect out[186..198] = 6273 -2961 -5784 -2832 -2250 -3111 594 3330 -288 8457 2502 11769 5361
//! expect out[199..210] = 8565 5358 11148 6810 -3405 147 -8685 4527 10779 -7203 -1032 -4890
//! expect out[211..222] = -4944 9822 -3546 -4194 -13833 4203 -4491 2856 9756 -2757 -1638 -3528
//! expect out[223..234] = 3906 15702 11010 1158 9798 1521 13677 -7767 7785 5835 -12441 -6792
//! expect out[235..246] = -7899 -849 -6966 -987 -5988 -7755 -5175 -4392 5799 1113 9570 -1020
//! expect out[247..258] = -1827 -672 12720 -3924 2607 651 -3384 8364 1842 -7083 5010 -2208
//! expect out[259..270] = -5886 6972 -4038 7755 2118 9945 -14358 4953 -8190 -9639 4503 4638
//! expect out[271..283] = 2121 -5973 10110 7143 -2775 960 -1653 -8487 936 8037 5472 -8445 -1236
//! expect out[284..296] = 8544 855 -8076 8142 -2691 537 9420 -5076 9960 4236 -5256 -6234 8571
//! expect out[297..299] = -4338 -654 6507
kernel void test(global const int* in, global int* out, uint width, uint count, uint there, uint back,
                 uint factor, uint inverse, uint limit, uint rest) {
  uint x = get_global_id(0), y = get_global_id(1);
  uint i = y * width + x;
  // The first wraps up and the second down again; factor * inverse is 1 modulo 2^32.
  int a = in[i + there + back];
  int b = in[(i * factor + 7 * factor) * inverse % count];
  uint up = (i + 7) * factor;
  b = i + 7 < count ? in[up * inverse] : b;
  // Signed in the index only: the sum of the parts may pass 2^31 on its way.
  int c = in[(int)(count - 1 - i + limit + limit + rest)];
  out[i - back - there] += a + 2 * b + 3 * c;
}
