// Mipmaps (cl_khr_mipmap_image, cl_khr_mipmap_image_writes): what they are made of, commands on their levels, samplers with
// levels of detail, and kernels that read, write and query levels.
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

#include "tests/opencl/images.h"

namespace transpire::test {
namespace {

/// An origin that names a level behind the coordinates.
using Origin = std::array<std::size_t, 4>;

/// A type that mipmaps may be of, and how many coordinates it has.
struct Kind {
  cl_mem_object_type type;
  std::size_t coordinates;
  std::size_t halved;  ///< of these
};
constexpr Kind kKinds[] = {{CL_MEM_OBJECT_IMAGE1D, 1, 1},
                           {CL_MEM_OBJECT_IMAGE1D_ARRAY, 2, 1},
                           {CL_MEM_OBJECT_IMAGE2D, 2, 2},
                           {CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, 2},
                           {CL_MEM_OBJECT_IMAGE3D, 3, 3}};

Sizes level_size(const Kind& kind, std::size_t level) {
  Sizes size = region_of(kind.type);
  for (std::size_t k = 0; k < kind.halved; ++k)
    size[k] = std::max<std::size_t>(size[k] >> level, 1);
  return size;
}

Origin origin_of(const Kind& kind, std::size_t level) {
  Origin origin{};
  origin[kind.coordinates] = level;
  return origin;
}

template <class T>
T sampler_info(cl_sampler sampler, cl_sampler_info name) {
  T value{};
  REQUIRE(clGetSamplerInfo(sampler, name, sizeof value, &value, nullptr) == CL_SUCCESS);
  return value;
}

constexpr cl_sampler_properties bits_of(float lod) { return std::bit_cast<cl_uint>(lod); }

struct Mipmaps : Images {
  cl_int code = 0;

  /// With the sides of descriptor(): 3 levels, 5, 2 and 1 texels wide.
  cl_mem mipmap(cl_mem_object_type type, const cl_image_format& format = kBytes) const {
    cl_image_desc desc = descriptor(type);
    desc.num_mip_levels = 3;
    return make(desc, format);
  }
  cl_int read_level(cl_mem image, const Origin& origin, const Sizes& region, void* to) const {
    return clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0, to, 0,
                              nullptr, nullptr);
  }
  cl_int write_level(cl_mem image, const Origin& origin, const Sizes& region,
                     const void* from) const {
    return clEnqueueWriteImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0, from, 0,
                               nullptr, nullptr);
  }
  /// Texel i of level l is 100 l + i + 1.
  void number_texels(cl_mem image, const Kind& kind) const {
    for (cl_uint level = 0; level < 3; ++level) {
      const Sizes size = level_size(kind, level);
      const std::vector<cl_uint> values = counting(texels_of(size), 100 * level + 1);
      REQUIRE(write_level(image, origin_of(kind, level), size, values.data()) == CL_SUCCESS);
    }
  }
  std::vector<cl_uint> texels(cl_mem image, const Kind& kind, std::size_t level) const {
    std::vector<cl_uint> values(texels_of(level_size(kind, level)));
    REQUIRE(read_level(image, origin_of(kind, level), level_size(kind, level), values.data()) ==
            CL_SUCCESS);
    return values;
  }
  cl_sampler sampler(const std::vector<cl_sampler_properties>& list) {
    return clCreateSamplerWithProperties(context, list.data(), &code);
  }
  /// A line of 4, 2 and 1 floats: 1 2 3 4, 10 20, 100.
  cl_mem line() const {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE1D;
    desc.image_width = 4;
    desc.num_mip_levels = 3;
    const cl_mem image = make(desc, {CL_R, CL_FLOAT});
    const float levels[3][4] = {{1, 2, 3, 4}, {10, 20}, {100}};
    for (std::size_t l = 0; l < 3; ++l)
      CHECK(write_level(image, {0, l}, {std::size_t{4} >> l, 1, 1}, levels[l]) == CL_SUCCESS);
    return image;
  }
  /// The floats that a kernel of an image, a sampler (if any) and a buffer stores.
  std::vector<float> run(const char* source, cl_mem image, cl_sampler how, std::size_t count) {
    const cl_program program = built(source, "-cl-std=CL3.0");
    const cl_kernel k = kernel(program, "k");
    cl_uint at = 0;
    CHECK(clSetKernelArg(k, at++, sizeof image, &image) == CL_SUCCESS);
    if (how != nullptr) CHECK(clSetKernelArg(k, at++, sizeof how, &how) == CL_SUCCESS);
    CHECK(clSetKernelArg(k, at, sizeof buffer, &buffer) == CL_SUCCESS);
    CHECK(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &count, nullptr, 0, nullptr, nullptr) ==
          CL_SUCCESS);
    std::vector<float> found(count);
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * 4, found.data(), 0, nullptr,
                              nullptr) == CL_SUCCESS);
    clReleaseKernel(k);
    clReleaseProgram(program);
    return found;
  }
};

using Floats = std::vector<float>;

}  // namespace

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: what they are") {
  for (const Kind& kind : kKinds) {
    const cl_mem image = mipmap(kind.type);
    CHECK(info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS) == 3);
    CHECK(size_info(image, CL_IMAGE_WIDTH) == 5);
    CHECK(size_info(image, CL_IMAGE_ROW_PITCH) == 20);
    std::size_t bytes = 0;
    for (std::size_t level = 0; level < 3; ++level) bytes += 4 * texels_of(level_size(kind, level));
    CHECK(memory_info<std::size_t>(image, CL_MEM_SIZE) == bytes);
    clReleaseMemObject(image);
  }
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  desc.num_mip_levels = 1;  // says no more than 0
  const cl_mem plain = make(desc);
  CHECK(info<cl_uint>(plain, CL_IMAGE_NUM_MIP_LEVELS) == 1);
  cl_uint texel = 0;
  CHECK(read_level(plain, {0, 0, 0, 77}, {1, 1, 1}, &texel) == CL_SUCCESS);
  CHECK(read_level(plain, {0, 0, 1, 0}, {1, 1, 1}, &texel) == CL_INVALID_VALUE);
  clReleaseMemObject(plain);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: what is none") {
  const auto wrong = [&](auto change, cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D) {
    cl_image_desc desc = descriptor(type);
    desc.num_mip_levels = 2;
    change(desc);
    return refusal(desc);
  };
  CHECK(wrong([](auto& d) { d.num_mip_levels = 4; }) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([](auto& d) { d.num_mip_levels = ~cl_uint{0}; }) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([](auto& d) { d.image_width = d.image_height = 1; }) == CL_INVALID_IMAGE_DESCRIPTOR);
  // Neither the layers of an array nor a depth that it has not are sides that are halved.
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY})
    CHECK(wrong(
              [](auto& d) {
                d.image_width = 1;
                d.image_height = d.image_depth = d.image_array_size = 8;
              },
              type) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([](auto& d) { d.num_samples = 2; }) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([](auto& d) { d.image_row_pitch = 64; }) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([&](auto& d) { d.mem_object = buffer; }) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([&](auto& d) { d.mem_object = buffer; }, CL_MEM_OBJECT_IMAGE1D_BUFFER) ==
        CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  desc.num_mip_levels = 2;
  std::vector<cl_uint> host(64);
  for (const int flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, 0})
    CHECK(refusal(desc, kBytes, static_cast<cl_mem_flags>(flags), host.data()) ==
          CL_INVALID_HOST_PTR);
  CHECK(refusal(desc, kBytes, CL_MEM_COPY_HOST_PTR) == CL_INVALID_HOST_PTR);
  const cl_mem image = make(desc, kBytes, CL_MEM_ALLOC_HOST_PTR);
  clReleaseMemObject(image);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: levels are read and written by themselves") {
  for (const Kind& kind : kKinds) {
    const cl_mem image = mipmap(kind.type);
    number_texels(image, kind);
    for (cl_uint level = 0; level < 3; ++level)
      CHECK(texels(image, kind, level) ==
            counting(texels_of(level_size(kind, level)), 100 * level + 1));
    cl_uint texel = 0;
    Origin last = origin_of(kind, 1);
    last[0] = 1;
    CHECK(read_level(image, last, {1, 1, 1}, &texel) == CL_SUCCESS);
    CHECK(texel == 102);
    last[0] = 2;  // in level 0 alone
    CHECK(read_level(image, last, {1, 1, 1}, &texel) == CL_INVALID_VALUE);
    CHECK(write_level(image, last, {1, 1, 1}, &texel) == CL_INVALID_VALUE);
    CHECK(read_level(image, origin_of(kind, 2), {2, 1, 1}, &texel) == CL_INVALID_VALUE);
    for (const std::size_t level : {std::size_t{3}, SIZE_MAX}) {
      CHECK(read_level(image, origin_of(kind, level), {1, 1, 1}, &texel) == CL_INVALID_MIP_LEVEL);
      CHECK(write_level(image, origin_of(kind, level), {1, 1, 1}, &texel) == CL_INVALID_MIP_LEVEL);
    }
    // A level is no coordinate.
    Sizes deep{1, 1, 1};
    if (kind.coordinates < 3) {
      deep[kind.coordinates] = 2;
      CHECK(read_level(image, origin_of(kind, 0), deep, &texel) == CL_INVALID_VALUE);
    }
    clReleaseMemObject(image);
  }
  const cl_mem line = mipmap(CL_MEM_OBJECT_IMAGE1D);
  cl_uint texel = 0;
  CHECK(read_level(line, {0, 1, 1}, {1, 1, 1}, &texel) == CL_INVALID_VALUE);
  clReleaseMemObject(line);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: copies between levels, and images without any") {
  for (const Kind& kind : kKinds) {
    const cl_mem image = mipmap(kind.type), plain = make(kind.type);
    number_texels(image, kind);
    const Sizes small = level_size(kind, 1);
    const auto copy_level = [&](cl_mem from, const Origin& a, cl_mem to, const Origin& b,
                                const Sizes& region) {
      return clEnqueueCopyImage(queue, from, to, a.data(), b.data(), region.data(), 0, nullptr,
                                nullptr);
    };
    // The same coordinates of two levels are no overlap.
    CHECK(copy_level(image, origin_of(kind, 1), image, origin_of(kind, 0), small) == CL_SUCCESS);
    CHECK(copy_level(image, origin_of(kind, 1), image, origin_of(kind, 1), small) ==
          CL_MEM_COPY_OVERLAP);
    CHECK(texels(image, kind, 0)[0] == 101);
    CHECK(texels(image, kind, 0)[1] == 102);
    CHECK(texels(image, kind, 0)[2] == 3);
    CHECK(texels(image, kind, 1) == counting(texels_of(small), 101));
    CHECK(copy_level(image, origin_of(kind, 2), plain, {}, {1, 1, 1}) == CL_SUCCESS);
    cl_uint texel = 0;
    CHECK(read(plain, kZero, {1, 1, 1}, &texel) == CL_SUCCESS);
    CHECK(texel == 201);
    CHECK(copy_level(plain, {1}, image, origin_of(kind, 2), {1, 1, 1}) == CL_SUCCESS);
    CHECK(copy_level(image, origin_of(kind, 0), image, origin_of(kind, 2), {2, 1, 1}) ==
          CL_INVALID_VALUE);
    CHECK(copy_level(image, origin_of(kind, 3), plain, {}, {1, 1, 1}) == CL_INVALID_MIP_LEVEL);
    CHECK(copy_level(plain, {}, image, origin_of(kind, 3), {1, 1, 1}) == CL_INVALID_MIP_LEVEL);
    for (const cl_mem object : {image, plain}) clReleaseMemObject(object);
  }
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: levels to and from buffers, and fills") {
  for (const Kind& kind : kKinds) {
    const cl_mem image = mipmap(kind.type);
    number_texels(image, kind);
    const Sizes small = level_size(kind, 1), one{1, 1, 1};
    const Origin level0 = origin_of(kind, 0), level1 = origin_of(kind, 1),
                 level2 = origin_of(kind, 2), beyond = origin_of(kind, 3);
    CHECK(clEnqueueCopyImageToBuffer(queue, image, buffer, level1.data(), small.data(), 64, 0,
                                     nullptr, nullptr) == CL_SUCCESS);
    std::vector<cl_uint> found(texels_of(small));
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 64, found.size() * 4, found.data(), 0,
                              nullptr, nullptr) == CL_SUCCESS);
    CHECK(found == counting(found.size(), 101));
    CHECK(clEnqueueCopyBufferToImage(queue, buffer, image, 64, level2.data(), one.data(), 0,
                                     nullptr, nullptr) == CL_SUCCESS);
    CHECK(texels(image, kind, 2)[0] == 101);
    const cl_uint color[4] = {1, 2, 3, 4};
    CHECK(clEnqueueFillImage(queue, image, color, level1.data(), small.data(), 0, nullptr,
                             nullptr) == CL_SUCCESS);
    CHECK(texels(image, kind, 1) == std::vector<cl_uint>(texels_of(small), 0x04030201));
    CHECK(texels(image, kind, 0) == counting(texels_of(level_size(kind, 0))));
    CHECK(texels(image, kind, 2)[0] == 101);
    CHECK(clEnqueueCopyImageToBuffer(queue, image, buffer, beyond.data(), one.data(), 0, 0, nullptr,
                                     nullptr) == CL_INVALID_MIP_LEVEL);
    CHECK(clEnqueueCopyBufferToImage(queue, buffer, image, 0, beyond.data(), one.data(), 0, nullptr,
                                     nullptr) == CL_INVALID_MIP_LEVEL);
    CHECK(clEnqueueFillImage(queue, image, color, beyond.data(), one.data(), 0, nullptr, nullptr) ==
          CL_INVALID_MIP_LEVEL);
    const Sizes all = level_size(kind, 0);
    CHECK(clEnqueueFillImage(queue, image, color, level0.data(), all.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(clEnqueueFillImage(queue, image, color, level1.data(), all.data(), 0, nullptr, nullptr) ==
          CL_INVALID_VALUE);
    clReleaseMemObject(image);
  }
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: maps of levels") {
  for (const Kind& kind : kKinds) {
    const cl_mem image = mipmap(kind.type);
    number_texels(image, kind);
    std::size_t row_pitch = 1, slice_pitch = 1;
    const auto map = [&](std::size_t level, const Sizes& region) {
      const Origin origin = origin_of(kind, level);
      return static_cast<cl_uint*>(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE,
                                                     origin.data(), region.data(), &row_pitch,
                                                     &slice_pitch, 0, nullptr, nullptr, &code));
    };
    const Sizes small = level_size(kind, 1);
    cl_uint* const first = map(1, small);
    REQUIRE(code == CL_SUCCESS);
    CHECK(row_pitch == 8);  // that of the level
    CHECK(slice_pitch ==
          (kind.type == CL_MEM_OBJECT_IMAGE1D || kind.type == CL_MEM_OBJECT_IMAGE2D ? 0 : 8));
    CHECK(first[0] == 101);
    first[1] = 99;
    cl_uint* const other = map(0, level_size(kind, 0));  // other texels, at the same coordinates
    CHECK(code == CL_SUCCESS);
    CHECK(map(1, {1, 1, 1}) == nullptr);
    CHECK(code == CL_INVALID_OPERATION);
    CHECK(map(3, {1, 1, 1}) == nullptr);
    CHECK(code == CL_INVALID_MIP_LEVEL);
    for (cl_uint* const mapped : {first, other})
      CHECK(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(texels(image, kind, 1)[1] == 99);
    clReleaseMemObject(image);
  }
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: a view of all levels") {
  const Kind& plane = kKinds[2];
  const cl_mem linear = mipmap(plane.type, {CL_RGBA, CL_UNORM_INT8});
  number_texels(linear, plane);
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  desc.mem_object = linear;
  CHECK(refusal(desc, {CL_sRGBA, CL_UNORM_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.num_mip_levels = 2;
  CHECK(refusal(desc, {CL_sRGBA, CL_UNORM_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.num_mip_levels = 3;
  const cl_mem view = make(desc, {CL_sRGBA, CL_UNORM_INT8});
  CHECK(texels(view, plane, 1) == counting(2, 101));
  CHECK(texels(view, plane, 2) == counting(1, 201));
  for (const cl_mem object : {view, linear}) clReleaseMemObject(object);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: samplers with levels of detail") {
  const cl_sampler plain =
      clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &code);
  CHECK(sampler_info<cl_filter_mode>(plain, CL_SAMPLER_MIP_FILTER_MODE) == CL_FILTER_NEAREST);
  CHECK(sampler_info<cl_float>(plain, CL_SAMPLER_LOD_MIN) == 0.0f);
  CHECK(sampler_info<cl_float>(plain, CL_SAMPLER_LOD_MAX) == FLT_MAX);
  const std::vector<cl_sampler_properties> list{CL_SAMPLER_MIP_FILTER_MODE,
                                                CL_FILTER_LINEAR,
                                                CL_SAMPLER_LOD_MIN,
                                                bits_of(0.5f),
                                                CL_SAMPLER_LOD_MAX,
                                                bits_of(1.25f),
                                                0};
  const cl_sampler made = sampler(list);
  REQUIRE(code == CL_SUCCESS);
  CHECK(sampler_info<cl_filter_mode>(made, CL_SAMPLER_MIP_FILTER_MODE) == CL_FILTER_LINEAR);
  CHECK(sampler_info<cl_filter_mode>(made, CL_SAMPLER_FILTER_MODE) == CL_FILTER_NEAREST);
  CHECK(sampler_info<cl_float>(made, CL_SAMPLER_LOD_MIN) == 0.5f);
  CHECK(sampler_info<cl_float>(made, CL_SAMPLER_LOD_MAX) == 1.25f);
  CHECK((sampler_info<std::array<cl_sampler_properties, 7>>(made, CL_SAMPLER_PROPERTIES)[3] ==
         list[3]));
  for (const cl_sampler one : {plain, made}) clReleaseSampler(one);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<cl_sampler_properties>& wrong :
       std::vector{std::vector<cl_sampler_properties>{CL_SAMPLER_MIP_FILTER_MODE, 1, 0},
                   {CL_SAMPLER_LOD_MIN, bits_of(nan), 0},
                   {CL_SAMPLER_LOD_MAX, bits_of(nan), 0},
                   {CL_SAMPLER_LOD_MIN, bits_of(2), CL_SAMPLER_LOD_MAX, bits_of(1), 0},
                   {CL_SAMPLER_LOD_MIN, bits_of(1), CL_SAMPLER_LOD_MIN, bits_of(1), 0},
                   {CL_SAMPLER_LOD_MAX + 1, 0, 0}}) {
    CHECK(sampler(wrong) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
  }
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: kernels read the level that a level of detail says") {
  constexpr const char* kSource = R"(
    #if !defined(cl_khr_mipmap_image) || !defined(cl_khr_mipmap_image_writes)
    #error not there
    #endif
    kernel void k(read_only image1d_t image, sampler_t how, global float* out) {
      const int i = get_global_id(0);
      out[i] = read_imagef(image, how, 0.25f, i * 0.5f).x;
    }
  )";
  const cl_mem image = line();
  const cl_sampler nearest = sampler({CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE, 0});
  CHECK(run(kSource, image, nearest, 6) == Floats{2, 2, 10, 10, 100, 100});
  const cl_sampler linear = sampler({CL_SAMPLER_MIP_FILTER_MODE, CL_FILTER_LINEAR, 0});
  CHECK(run(kSource, image, linear, 6) == Floats{2, 6, 10, 55, 100, 100});
  const cl_sampler limited =
      sampler({CL_SAMPLER_MIP_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_LOD_MIN, bits_of(0.5f),
               CL_SAMPLER_LOD_MAX, bits_of(1), 0});
  CHECK(run(kSource, image, limited, 6) == Floats{6, 6, 10, 10, 10, 10});
  // The steps between neighbouring work-items, in texels of level 0: 1, 2, 4.
  constexpr const char* kGradients = R"(
    kernel void k(read_only image1d_t image, sampler_t how, global float* out) {
      const int i = get_global_id(0);
      out[i] = read_imagef(image, how, 0.25f, 0.0f, 0.25f * (1 << i)).x;
    }
  )";
  CHECK(run(kGradients, image, nearest, 4) == Floats{2, 10, 100, 100});
  for (const cl_sampler one : {nearest, linear, limited}) clReleaseSampler(one);
  clReleaseMemObject(image);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: kernels ask for the levels, and write them") {
  const cl_mem image = line();
  CHECK(run(R"(
    kernel void k(read_only image1d_t image, global float* out) {
      const int i = get_global_id(0);
      out[i] = i == 0   ? get_image_num_mip_levels(image)
               : i == 1 ? get_image_width(image)
                        : read_imagef(image, i).x;
    })",
            image, nullptr, 4) == Floats{3, 4, 3, 4});
  run(R"(
    kernel void k(write_only image1d_t image, global float* out) {
      const int i = get_global_id(0);
      write_imagef(image, 0, i, (float4)(i + 0.5f));
      if (i == 0) write_imagef(image, 3, (float4)(7));
    })",
      image, nullptr, 3);
  float levels[3][4] = {};
  for (std::size_t l = 0; l < 3; ++l)
    CHECK(read_level(image, {0, l}, {std::size_t{4} >> l, 1, 1}, levels[l]) == CL_SUCCESS);
  CHECK(Floats(levels[0], levels[0] + 4) == Floats{0.5f, 2, 3, 7});
  CHECK(Floats(levels[1], levels[1] + 2) == Floats{1.5f, 20});
  CHECK(levels[2][0] == 2.5f);
  clReleaseMemObject(image);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: of depths") {
  const cl_mem image = mipmap(CL_MEM_OBJECT_IMAGE2D, {CL_DEPTH, CL_FLOAT});
  run(R"(
    kernel void k(write_only image2d_depth_t image, global float* out) {
      const int i = get_global_id(0);
      write_imagef(image, (int2)(0), i, i + 0.5f);
    })",
      image, nullptr, 3);
  const cl_sampler how = sampler({CL_SAMPLER_MIP_FILTER_MODE, CL_FILTER_LINEAR, 0});
  CHECK(run(R"(
    kernel void k(read_only image2d_depth_t image, sampler_t how, global float* out) {
      const int i = get_global_id(0);
      out[i] = read_imagef(image, how, (float2)(0), i * 0.5f);
    })",
            image, how, 5) == Floats{0.5f, 1, 1.5f, 2, 2.5f});
  clReleaseSampler(how);
  clReleaseMemObject(image);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: OpenCL C 1.2 has no functions of theirs") {
  clReleaseProgram(
      built("#if defined(cl_khr_mipmap_image) || defined(cl_khr_mipmap_image_writes)\n"
            "#error there\n#endif\nkernel void k() {}",
            "-cl-std=CL1.2"));
}

}  // namespace transpire::test
