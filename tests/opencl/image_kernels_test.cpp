// Kernels from OpenCL C that query, read, sample and write images, against what the host computes; images and samplers as
// arguments.
#include <algorithm>
#include <cmath>

#include "tests/opencl/images.h"

namespace transpire::test::image_kernels_tests {
namespace {

/// A kernel for each type of image: writes `in`'s texels, each channel plus the number of coordinates, to `out`.
constexpr const char* kAdding = R"(
#define ADDING(name, type, vector, at, count) \
  kernel void name(read_only type in, write_only type out) { \
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2); \
    write_imageui(out, at, read_imageui(in, at) + (uint)count); \
  }
ADDING(line, image1d_t, int, x, 1)
ADDING(lines, image1d_array_t, int2, ((int2)(x, y)), 2)
ADDING(from_buffer, image1d_buffer_t, int, x, 1)
ADDING(plane, image2d_t, int2, ((int2)(x, y)), 2)
ADDING(planes, image2d_array_t, int4, ((int4)(x, y, z, 0)), 3)
ADDING(solid, image3d_t, int4, ((int4)(x, y, z, 0)), 3)
)";

struct TypedKernel {
  cl_mem_object_type type;
  const char* name;
  cl_uint coordinates;
};
constexpr TypedKernel kAddingKernels[] = {{CL_MEM_OBJECT_IMAGE1D, "line", 1},
                                          {CL_MEM_OBJECT_IMAGE1D_ARRAY, "lines", 2},
                                          {CL_MEM_OBJECT_IMAGE1D_BUFFER, "from_buffer", 1},
                                          {CL_MEM_OBJECT_IMAGE2D, "plane", 2},
                                          {CL_MEM_OBJECT_IMAGE2D_ARRAY, "planes", 3},
                                          {CL_MEM_OBJECT_IMAGE3D, "solid", 3}};

struct ImageKernels : Images {
  cl_int launch(cl_kernel k, const Sizes& global) const {
    return enqueue(k, Range(global.begin(), global.end()));
  }
  template <class T>
  std::vector<T> values_of(cl_mem memory, std::size_t count) const {
    return Host::read<T>(memory, count);
  }
  /// A line of floats.
  Memory line(std::vector<float> texels) const {
    return make(plane(texels.size()), {CL_R, CL_FLOAT}, CL_MEM_COPY_HOST_PTR, texels.data());
  }
};

/// Which texel of `count` a coordinate means; -1: the border.
int addressed(cl_addressing_mode mode, int i, int count) {
  switch (mode) {
    case CL_ADDRESS_CLAMP_TO_EDGE:
      return std::clamp(i, 0, count - 1);
    case CL_ADDRESS_REPEAT:
      return ((i % count) + count) % count;
    case CL_ADDRESS_MIRRORED_REPEAT: {
      const int j = ((i % (2 * count)) + 2 * count) % (2 * count);
      return j < count ? j : 2 * count - 1 - j;
    }
    default:
      return i >= 0 && i < count ? i : -1;
  }
}

/// What a sampler with normalized coordinates gives for a line.
float sampled(const std::vector<float>& line, cl_addressing_mode mode, cl_filter_mode filter,
              double at) {
  const int count = static_cast<int>(line.size());
  const auto texel = [&](double i) {
    const int k = addressed(mode, static_cast<int>(i), count);
    return k < 0 ? 0.0 : static_cast<double>(line[static_cast<std::size_t>(k)]);
  };
  const double u = at * count;
  if (filter == CL_FILTER_NEAREST) return static_cast<float>(texel(std::floor(u)));
  const double low = std::floor(u - 0.5), a = u - 0.5 - low;
  return static_cast<float>((1 - a) * texel(low) + a * texel(low + 1));
}

TEST_CASE_FIXTURE(ImageKernels, "image kernels: every type is read and written") {
  const Program program = built(kAdding);
  for (const TypedKernel& typed : kAddingKernels) {
    const Kernel k = kernel(program, typed.name);
    const Memory from = make(typed.type);
    const Memory other_store = buffer(256), to = make(typed.type, other_store);
    const Sizes region = region_of(typed.type);
    const std::vector<cl_uint> values = number(from, region);
    set(k, from, to);
    CHECK(launch(k, region) == CL_SUCCESS);
    const std::vector<cl_uint> found = texels(to, region);
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == values[i] + 0x01010101 * typed.coordinates);
    if (typed.type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
      CHECK(values_of<cl_uint>(other_store, found.size()) == found);
  }
}

TEST_CASE_FIXTURE(ImageKernels, "image kernels: samplers' modes and filters") {
  const Program program = built(R"(
kernel void sample(read_only image1d_t in, sampler_t how, global const float* at, global float* out) {
  const int i = get_global_id(0);
  out[i] = read_imagef(in, how, at[i]).x;
})");
  const Kernel k = kernel(program, "sample");
  const std::vector<float> texels{1, -2, 4, 8, 0.5f};
  std::vector<float> at;
  for (int i = -40; i <= 60; ++i) at.push_back(static_cast<float>(i) / 32.0f);
  const Memory image = line(texels);
  const Memory coordinates = buffer_of(at);
  for (const cl_addressing_mode mode :
       {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
    for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
      Sampler how = sampler(CL_TRUE, mode, filter);
      set(k, image, how, coordinates, store);
      how.drop();  // its value is in the argument
      CHECK(launch(k, {at.size(), 1, 1}) == CL_SUCCESS);
      const std::vector<float> found = values_of<float>(store, at.size());
      for (std::size_t i = 0; i < at.size(); ++i)
        CHECK(found[i] == doctest::Approx(sampled(texels, mode, filter, static_cast<double>(at[i])))
                              .epsilon(1e-5));
    }
}

TEST_CASE_FIXTURE(ImageKernels, "image kernels: channels are converted, and said") {
  const Program program = built(R"(
constant sampler_t kNearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void convert(read_only image2d_t in, write_only image2d_t out, global float4* seen, global int* facts) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 color = read_imagef(in, kNearest, at);
  seen[at.y * get_image_width(in) + at.x] = color;
  write_imagef(out, at, color);
  facts[0] = get_image_width(in);
  facts[1] = get_image_height(in);
  facts[2] = get_image_channel_order(out) == CLK_RGBA;
  facts[3] = get_image_channel_data_type(in) == CLK_UNORM_INT8;
  seen[15] = read_imagef(in, kNearest, (int2)(-1, 0));
})");
  const Kernel k = kernel(program, "convert");
  const std::vector<cl_uint> bytes = counting(15, 0x80402010);
  const cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  const Memory in = make(desc, {CL_BGRA, CL_UNORM_INT8});
  const Memory out = make(desc, {CL_RGBA, CL_HALF_FLOAT});
  const Memory facts = buffer(64);
  CHECK(write(in, kZero, {5, 3, 1}, bytes.data()) == CL_SUCCESS);
  set(k, in, out, store, facts);
  CHECK(launch(k, {5, 3, 1}) == CL_SUCCESS);
  CHECK(values_of<cl_int>(facts, 4) == std::vector<cl_int>{5, 3, 1, 1});
  const std::vector<float> seen = values_of<float>(store, 64);
  for (std::size_t i = 0; i < 15; ++i) {
    const float expected[] = {0x40 / 255.0f, 0x20 / 255.0f, static_cast<float>(0x10 + i) / 255.0f,
                              0x80 / 255.0f};
    for (std::size_t c = 0; c < 4; ++c) CHECK(seen[i * 4 + c] == doctest::Approx(expected[c]));
  }
  CHECK(seen[60] == 0);  // the border
  CHECK(seen[63] == 0);
  std::array<std::uint16_t, 4> halves{};
  CHECK(read(out, kZero, {1, 1, 1}, halves.data()) == CL_SUCCESS);
  CHECK(halves[3] == 0x3804);  // 128 / 255
}

TEST_CASE_FIXTURE(ImageKernels,
                  "image kernels: depths, and images that are both read and written") {
  const Program program = built(R"(
kernel void depths(read_only image2d_depth_t in, write_only image2d_depth_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, at) * 0.5f);
}
kernel void squares(read_write image2d_t image) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const int4 color = read_imagei(image, at);
  write_imagei(image, at, color * color);
})",
                                "-cl-std=CL3.0");
  const Kernel depths = kernel(program, "depths"), squares = kernel(program, "squares");
  const cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  std::vector<float> values(15);
  for (std::size_t i = 0; i < 15; ++i) values[i] = static_cast<float>(i) / 16.0f;
  const Memory in = make(desc, {CL_DEPTH, CL_FLOAT}, CL_MEM_COPY_HOST_PTR, values.data());
  const Memory out = make(desc, {CL_DEPTH, CL_FLOAT});
  set(depths, in, out);
  CHECK(launch(depths, {5, 3, 1}) == CL_SUCCESS);
  const std::vector<float> found = texels<float>(out, {5, 3, 1});
  for (std::size_t i = 0; i < 15; ++i) CHECK(found[i] == values[i] / 2);

  std::vector<cl_int> numbers(15);
  std::iota(numbers.begin(), numbers.end(), -7);
  const Memory both = make(desc, {CL_R, CL_SIGNED_INT32}, CL_MEM_COPY_HOST_PTR, numbers.data());
  set(squares, both);
  CHECK(launch(squares, {5, 3, 1}) == CL_SUCCESS);
  const std::vector<cl_int> squared = texels<cl_int>(both, {5, 3, 1});
  for (std::size_t i = 0; i < 15; ++i) CHECK(squared[i] == numbers[i] * numbers[i]);
}

TEST_CASE_FIXTURE(ImageKernels, "image kernels: shared virtual memory as an image") {
  const Program program = built(R"(
kernel void twice(read_write image1d_buffer_t line, global uint* memory) {
  const int i = get_global_id(0);
  write_imageui(line, i, read_imageui(line, i) * 2);
  memory[16 + i] = i;
})",
                                "-cl-std=CL2.0");
  const Kernel k = kernel(program, "twice");
  auto* const shared = static_cast<cl_uint*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 128, 0));
  REQUIRE(shared != nullptr);
  for (cl_uint i = 0; i < 32; ++i) shared[i] = i < 16 ? 1 + i : 99;
  Memory memory = buffer(128, CL_MEM_USE_HOST_PTR, shared);
  cl_image_desc desc = plane(16);
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.mem_object = memory;
  Memory image = make(desc, {CL_R, CL_UNSIGNED_INT32});
  set(k, image, Shared{shared});
  memory.drop();
  CHECK(launch(k, {16, 1, 1}) == CL_SUCCESS);
  CHECK(clFinish(queue) == CL_SUCCESS);
  for (cl_uint i = 0; i < 16; ++i) {
    CHECK(shared[i] == 2 * (1 + i));
    CHECK(shared[16 + i] == i);
  }
  image.drop();
  clSVMFree(context, shared);
}

TEST_CASE_FIXTURE(ImageKernels, "image arguments: what fits and what does not") {
  const Program program = built(R"(
kernel void all(read_only image2d_t in, write_only image3d_t out, read_only image2d_depth_t depth,
                sampler_t how, global int* memory) {})",
                                "-cl-kernel-arg-info");
  const Kernel k = kernel(program, "all");
  const cl_image_desc flat = descriptor(), deep = descriptor(CL_MEM_OBJECT_IMAGE3D);
  Memory image = make(flat);
  const Memory depth = make(flat, {CL_DEPTH, CL_FLOAT}),
               unread = make(flat, kRgba8, CL_MEM_WRITE_ONLY);
  const Memory solid = make(deep), unwritten = make(deep, kRgba8, CL_MEM_READ_ONLY);
  const Sampler how = sampler(CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
  set(k, image, solid, depth, how, store);
  struct Row {
    cl_uint index;
    cl_mem value;
    cl_int error;
  };
  for (const Row& row : std::vector<Row>{{0, unread, CL_INVALID_ARG_VALUE},
                                         {0, solid, CL_INVALID_ARG_VALUE},
                                         {0, depth, CL_INVALID_ARG_VALUE},
                                         {0, store, CL_INVALID_MEM_OBJECT},
                                         {1, unwritten, CL_INVALID_ARG_VALUE},
                                         {2, image, CL_INVALID_ARG_VALUE},
                                         {3, image, CL_INVALID_SAMPLER},
                                         {4, image, CL_INVALID_MEM_OBJECT}}) {
    CAPTURE(row.index);
    CHECK(set_argument(k, row.index, row.value) == row.error);
  }
  CHECK(set_argument(k, 0, nullptr) == CL_INVALID_MEM_OBJECT);
  CHECK(set_argument(k, 3, nullptr) == CL_INVALID_SAMPLER);
  CHECK(clSetKernelArg(k, 0, 4, &image) == CL_INVALID_ARG_SIZE);
  CHECK(clSetKernelArg(k, 3, 4, &how) == CL_INVALID_ARG_SIZE);
  const auto text = [&](cl_uint index) {
    return text_info(clGetKernelArgInfo, k, index, CL_KERNEL_ARG_TYPE_NAME);
  };
  CHECK(text(0) == "image2d_t");
  CHECK(text(3) == "sampler_t");
  CHECK(info<cl_kernel_arg_access_qualifier>(clGetKernelArgInfo, k, cl_uint{1},
                                             CL_KERNEL_ARG_ACCESS_QUALIFIER) ==
        CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
  CHECK(launch(k, {1, 1, 1}) == CL_SUCCESS);
  // Kernels do not keep what they name; commands do.
  image.drop();
  CHECK(clFinish(queue) == CL_SUCCESS);
  CHECK(launch(k, {1, 1, 1}) == CL_INVALID_KERNEL_ARGS);
}

/// Copies rows 0 and 1 as blocks of a type, twice through read-write images where there are some.
constexpr const char* kBlocks = R"(
#if __OPENCL_C_VERSION__ >= 300
#define BOTH(suffix, type) \
  kernel void both##suffix(read_write image2d_t in, read_write image2d_t out) { \
    const int2 at = (int2)(0, 0); \
    intel_sub_group_block_write##suffix##2(out, at, intel_sub_group_block_read##suffix##2(in, at)); \
  }
#else
#define BOTH(suffix, type)
#endif
#define BLOCKS(suffix, type) \
  kernel void copy##suffix(read_only image2d_t in, write_only image2d_t out) { \
    const int2 at = (int2)(0, 0); \
    intel_sub_group_block_write##suffix##2(out, at, intel_sub_group_block_read##suffix##2(in, at)); \
  } \
  BOTH(suffix, type)
BLOCKS(, uint)
#if __OPENCL_C_VERSION__ >= 300
BLOCKS(_ui, uint) BLOCKS(_uc, uchar) BLOCKS(_us, ushort) BLOCKS(_ul, ulong)
#endif
)";

TEST_CASE_FIXTURE(ImageKernels,
                  "sub-groups copy blocks of images, with every type that cl_intel_subgroups has") {
  const std::vector<cl_uint> from = counting(std::size_t{64} * 3);
  const auto check = [&](cl_program program, const std::string& name, std::size_t bytes) {
    CAPTURE(name);
    const Memory in = make(plane(64, 3)), out = make(plane(64, 3));
    REQUIRE(write(in, kZero, {64, 3, 1}, from.data()) == CL_SUCCESS);
    const Kernel kernel = this->kernel(program, name.c_str());
    set(kernel, in, out);
    CHECK(enqueue(kernel, {32}, {32}) == CL_SUCCESS);
    std::vector<cl_uint> expected(from.size());
    const std::size_t copied = 32 * bytes / sizeof(cl_uint);  // of a row, by 32 work-items
    for (std::size_t i = 0; i < 128; ++i)
      if (i % 64 < copied) expected[i] = from[i];
    CHECK(texels(out, {64, 3, 1}) == expected);
  };
  const Program older = built(kBlocks, "-cl-std=CL1.2 -Werror");
  check(older, "copy", 4);
  const Program newer = built(kBlocks, "-cl-std=CL3.0 -Werror");
  for (const std::string kernel : {"copy", "both"})
    for (const auto& [suffix, bytes] :
         {std::pair{"", 4}, {"_ui", 4}, {"_uc", 1}, {"_us", 2}, {"_ul", 8}})
      check(newer, kernel + suffix, static_cast<std::size_t>(bytes));
}

TEST_CASE_FIXTURE(ImageKernels,
                  "image kernels: samplers and images are as many as the device has") {
  const auto kernel_with = [&](const std::string& parameter, int count) {
    std::string text = "kernel void k(global int* y";
    for (int i = 0; i < count; ++i) text += ", " + parameter + " p" + std::to_string(i);
    Kernel k = kernel(built(text + ") { y[0] = 1; }"), "k");  // it keeps the program
    set(k, store);
    return k;
  };
  const Sampler plain = sampler(CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST);
  const Memory image = make(CL_MEM_OBJECT_IMAGE2D);
  const auto launched = [&](const std::string& parameter, cl_uint count, const auto& argument) {
    const Kernel k = kernel_with(parameter, static_cast<int>(count));
    for (cl_uint i = 1; i <= count; ++i) CHECK(set_argument(k, i, argument) == CL_SUCCESS);
    return launch(k, {1, 1, 1});
  };
  CHECK(launched("sampler_t", 32, plain) == CL_SUCCESS);
  CHECK(launched("sampler_t", 33, plain) == CL_OUT_OF_RESOURCES);
  CHECK(launched("write_only image2d_t", 128, image) == CL_SUCCESS);
  CHECK(launched("read_only image2d_t", 129, image) == CL_OUT_OF_RESOURCES);
  CHECK(clFinish(queue) == CL_SUCCESS);
}

}  // namespace
}  // namespace transpire::test::image_kernels_tests
