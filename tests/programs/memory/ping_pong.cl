// A launch that is repeated with its two buffers exchanged after each turn: a one-dimensional diffusion.
//! global 64
//! arg from = int:range:0:64:64
//! arg to = int:zero:64
//! repeat 5 swap from to
//! # vary: local
//! expect from[0..19] = 34 78 131 192 256 320 384 448 512 576 640 704 768 832 896 960 1024 1088 1152 1216
//! expect from[20..35] = 1280 1344 1408 1472 1536 1600 1664 1728 1792 1856 1920 1984 2048 2112 2176 2240
//! expect from[36..51] = 2304 2368 2432 2496 2560 2624 2688 2752 2816 2880 2944 3008 3072 3136 3200 3264
//! expect from[52..63] = 3328 3392 3456 3520 3584 3648 3712 3772 3792 3636 3040 1784
//! expect to[0..19] = 32 75 130 192 256 320 384 448 512 576 640 704 768 832 896 960 1024 1088 1152 1216
//! expect to[20..35] = 1280 1344 1408 1472 1536 1600 1664 1728 1792 1856 1920 1984 2048 2112 2176 2240
//! expect to[36..51] = 2304 2368 2432 2496 2560 2624 2688 2752 2816 2880 2944 3008 3072 3136 3200 3264
//! expect to[52..63] = 3328 3392 3456 3520 3584 3648 3712 3776 3824 3744 3232 1952
kernel void smooth_line(global const int* from, global int* to) {
  int n = get_global_id(0);
  int left = n > 0 ? from[n - 1] : 0, right = n < 63 ? from[n + 1] : 0;
  to[n] = (left + 2 * from[n] + right) / 4;
}
