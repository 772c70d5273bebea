// 1D images, 1D buffers and 1D arrays are copied, and written in reverse.
//! global 70  # vary: local
//! arg line = image 1d R UNSIGNED_INT32 70 uint:range:5:3
//! arg bytes = image 1d_buffer R UNSIGNED_INT8 70 uchar:range:0:1
//! arg back = image 1d RG UNSIGNED_INT32 70
//! arg rows = image 1d_array R UNSIGNED_INT16 35x2
//! arg buffer_out = image 1d_buffer RGBA SIGNED_INT32 70
//! expect back[0] = (212,69)
//! expect back[69] = (5,0)
//! expect rows[0..3] = 0 2 4 6
//! expect rows[35..37] = 1 3 5
//! expect rows[69] = 69
//! expect buffer_out[69] = (69,-69,1,0)
//! expect no faults
kernel void test(read_only image1d_t line, read_only image1d_buffer_t bytes, write_only image1d_t back,
                 write_only image1d_array_t rows, write_only image1d_buffer_t buffer_out) {
  const int i = get_global_id(0);
  const uint number = read_imageui(line, i).x;
  const uint byte = read_imageui(bytes, i).x;
  write_imageui(back, 69 - i, (uint4)(number, byte, 0, 0));
  write_imageui(rows, (int2)(i / 2, i & 1), (uint4)(byte, 0, 0, 0));
  write_imagei(buffer_out, i, (int4)(i, -i, 1, 0));
}
