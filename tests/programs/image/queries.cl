// Every query of OpenCL C 1.2, of every kind of image.
//! kernel test
//! global 1
//! arg a = image 1d R FLOAT 7
//! arg b = image 1d_array RG UNORM_INT8 5x3
//! arg c = image 1d_buffer RGBA SIGNED_INT32 9
//! arg d = image 2d BGRA UNORM_INT8 4x6
//! arg e = image 2d_array A HALF_FLOAT 3x2x5
//! arg f = image 3d RGBA UNSIGNED_INT16 2x3x4
//! arg out = int:zero:32
//! # CLK_R 0x10B0, CLK_FLOAT 0x10DE, CLK_RG 0x10B2, CLK_UNORM_INT8 0x10D2, CLK_RGBA 0x10B5, CLK_SIGNED_INT32 0x10D9,
//! # CLK_BGRA 0x10B6, CLK_A 0x10B1, CLK_HALF_FLOAT 0x10DD, CLK_UNSIGNED_INT16 0x10DB
//! expect out[0..2] = 7 0x10B0 0x10DE
//! expect out[3..6] = 5 3 0x10B2 0x10D2
//! expect out[7..9] = 9 0x10B5 0x10D9
//! expect out[10..15] = 4 6 4 6 0x10B6 0x10D2
//! expect out[16..22] = 3 2 5 3 2 0x10B1 0x10DD
//! expect out[23..31] = 2 3 4 2 3 4 0 0x10B5 0x10DB
//! expect no faults
kernel void test(read_only image1d_t a, write_only image1d_array_t b, read_only image1d_buffer_t c,
                 read_only image2d_t d, read_only image2d_array_t e, read_only image3d_t f,
                 global int* out) {
  out[0] = get_image_width(a);
  out[1] = get_image_channel_order(a);
  out[2] = get_image_channel_data_type(a);
  out[3] = get_image_width(b);
  out[4] = (int)get_image_array_size(b);
  out[5] = get_image_channel_order(b);
  out[6] = get_image_channel_data_type(b);
  out[7] = get_image_width(c);
  out[8] = get_image_channel_order(c);
  out[9] = get_image_channel_data_type(c);
  out[10] = get_image_width(d);
  out[11] = get_image_height(d);
  out[12] = get_image_dim(d).x;
  out[13] = get_image_dim(d).y;
  out[14] = get_image_channel_order(d);
  out[15] = get_image_channel_data_type(d);
  out[16] = get_image_width(e);
  out[17] = get_image_height(e);
  out[18] = (int)get_image_array_size(e);
  out[19] = get_image_dim(e).x;
  out[20] = get_image_dim(e).y;
  out[21] = get_image_channel_order(e);
  out[22] = get_image_channel_data_type(e);
  out[23] = get_image_width(f);
  out[24] = get_image_height(f);
  out[25] = get_image_depth(f);
  out[26] = get_image_dim(f).x;
  out[27] = get_image_dim(f).y;
  out[28] = get_image_dim(f).z;
  out[29] = get_image_dim(f).w;
  out[30] = get_image_channel_order(f);
  out[31] = get_image_channel_data_type(f);
}
