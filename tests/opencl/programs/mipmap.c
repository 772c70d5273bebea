/* A mipmap that is sampled, and one whose levels are written: 1 launch. With "beyond", of a level that is not there, too. */
#include "tests/opencl/programs/host.h"

static cl_mem mipmap(void) {
  const cl_image_format format = {CL_R, CL_FLOAT};
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 2};
  desc.num_mip_levels = 3;
  cl_int code;
  const cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &code);
  CHECK(code);
  return image;
}

static cl_sampler sampler(void) {
  const float least = 0.25f, greatest = 1.5f;
  cl_sampler_properties list[] = {CL_SAMPLER_ADDRESSING_MODE,
                                  CL_ADDRESS_CLAMP_TO_EDGE,
                                  CL_SAMPLER_FILTER_MODE,
                                  CL_FILTER_LINEAR,
                                  CL_SAMPLER_MIP_FILTER_MODE,
                                  CL_FILTER_LINEAR,
                                  CL_SAMPLER_LOD_MIN,
                                  0,
                                  CL_SAMPLER_LOD_MAX,
                                  0,
                                  0};
  memcpy(&list[7], &least, sizeof least);
  memcpy(&list[9], &greatest, sizeof greatest);
  cl_int code;
  const cl_sampler made = clCreateSamplerWithProperties(context, list, &code);
  CHECK(code);
  return made;
}

int main(int count, char** words) {
  const int beyond = count > 1 && strcmp(words[1], "beyond") == 0;
  open_device();
  const cl_kernel shrink = kernel_of(
      program_of(
          "kernel void shrink(read_only image2d_t in, sampler_t how, write_only image2d_t out) {\n"
          "  const int l = get_global_id(0);\n"
          "  write_imagef(out, (int2)(0), l, read_imagef(in, how, (float2)(0.5f), (float)l));\n"
          "}\n",
          "-cl-std=CL3.0"),
      "shrink");
  const cl_mem in = mipmap(), out = mipmap();
  const size_t sizes[3][3] = {{4, 2, 1}, {2, 1, 1}, {1, 1, 1}};
  for (size_t l = 0; l < 3; ++l) {
    const size_t origin[3] = {0, 0, l};
    const float color[4] = {(float)(1 << l)};
    CHECK(clEnqueueFillImage(queue, in, color, origin, sizes[l], 0, NULL, NULL));
  }
  const cl_sampler how = sampler();
  set_buffer(shrink, 0, in);
  CHECK(clSetKernelArg(shrink, 1, sizeof how, &how));
  set_buffer(shrink, 2, out);
  launch(shrink, beyond ? 4 : 3, 0);
  const float expected[3] = {1.25f, 2, 3}; /* levels of detail 0.25, 1 and 1.5 */
  for (size_t l = 0; l < 3; ++l) {
    const size_t origin[3] = {0, 0, l};
    float found = 0;
    CHECK(clEnqueueReadImage(queue, out, CL_TRUE, origin, sizes[2], 0, 0, &found, 0, NULL, NULL));
    EXPECT(found == expected[l]);
  }
  return 0;
}
