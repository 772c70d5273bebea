/* Images with gaps, in a buffer, and sampled: 2 launches. With "shared", an image and its buffer in one launch; with "svm",
   the one with gaps is in shared virtual memory. */
#include "tests/opencl/programs/host.h"

static cl_mem image_of(cl_mem_flags flags, cl_image_desc desc, void* data) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  cl_int code;
  const cl_mem image = clCreateImage(context, flags, &format, &desc, data, &code);
  CHECK(code);
  return image;
}

static cl_program program(void) {
  return program_of(
      "kernel void halve(read_only image2d_t in, sampler_t how, write_only image2d_t out) {\n"
      "  const int2 at = (int2)(get_global_id(0) % 4, get_global_id(0) / 4);\n"
      "  const float2 middle = (convert_float2(at) + 0.5f) / 4;\n"
      "  write_imagef(out, at, read_imagef(in, how, middle));\n"
      "}\n"
      "kernel void mark(write_only image1d_buffer_t line, global int* n) {\n"
      "  write_imagef(line, n[0], (float4)1.0f);\n"
      "}\n",
      "");
}

int main(int count, char** words) {
  const char* const how_to = count > 1 ? words[1] : "";
  open_device();
  const cl_program built = program();
  unsigned char own[8 * 64];
  const int is_svm = strcmp(how_to, "svm") == 0;
  unsigned char* const pixels = is_svm ? clSVMAlloc(context, CL_MEM_READ_WRITE, 512, 0) : own;
  for (int i = 0; i < 512; ++i) pixels[i] = (unsigned char)(i * 7);
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
  desc.image_row_pitch = 64;
  const cl_mem in = image_of(CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, desc, pixels);
  desc.image_width = desc.image_height = 4;
  desc.image_row_pitch = 0;
  const cl_mem out = image_of(CL_MEM_WRITE_ONLY, desc, NULL);
  cl_int code;
  const cl_sampler how =
      clCreateSampler(context, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR, &code);
  CHECK(code);
  const cl_kernel halve = kernel_of(built, "halve");
  set_buffer(halve, 0, in);
  CHECK(clSetKernelArg(halve, 1, sizeof how, &how));
  set_buffer(halve, 2, out);
  launch(halve, 16, 0);

  int numbers[64] = {60};
  const cl_mem store = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
  const cl_mem other = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
  cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 64};
  line.mem_object = store;
  const cl_kernel mark = kernel_of(built, "mark");
  set_buffer(mark, 0, image_of(0, line, NULL));
  set_buffer(mark, 1, strcmp(how_to, "shared") == 0 ? store : other);
  launch(mark, 1, 0);
  read_back(store, sizeof numbers, numbers);
  EXPECT(numbers[60] == -1);
  return 0;
}
