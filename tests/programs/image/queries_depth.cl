// Every query of depth images: their order is CLK_DEPTH.
//! options -cl-std=CL2.0
//! global 1
//! arg plane = image 2d DEPTH FLOAT 4x6
//! arg planes = image 2d_array DEPTH UNORM_INT16 3x2x5
//! arg out = int:zero:13
//! # CLK_DEPTH 0x10BD, CLK_FLOAT 0x10DE, CLK_UNORM_INT16 0x10D3
//! expect out = 4 6 0x10BD 0x10DE 4 6 3 2 0x10BD 0x10D3 3 2 5
//! expect no faults
kernel void test(read_only image2d_depth_t plane, write_only image2d_array_depth_t planes, global int* out) {
  out[0] = get_image_width(plane);
  out[1] = get_image_height(plane);
  out[2] = get_image_channel_order(plane);
  out[3] = get_image_channel_data_type(plane);
  vstore2(get_image_dim(plane), 2, out);
  out[6] = get_image_width(planes);
  out[7] = get_image_height(planes);
  out[8] = get_image_channel_order(planes);
  out[9] = get_image_channel_data_type(planes);
  vstore2(get_image_dim(planes), 5, out);
  out[12] = (int)get_image_array_size(planes);
}
