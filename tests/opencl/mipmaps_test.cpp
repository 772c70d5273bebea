// Mipmaps (cl_khr_mipmap_image, cl_khr_mipmap_image_writes): what they are made of, commands on their levels, samplers with
// levels of detail, and kernels that read, write and query levels.
#include <bit>
#include <cfloat>
#include <limits>

#include "tests/opencl/images.h"

namespace transpire::test::mipmaps_tests {
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

constexpr cl_sampler_properties bits_of(float lod) { return std::bit_cast<cl_uint>(lod); }

struct Mipmaps : Images {
  /// With the sides of descriptor(): 3 levels, 5, 2 and 1 texels wide.
  Memory mipmap(cl_mem_object_type type, const cl_image_format& format = kRgba8) const {
    cl_image_desc desc = descriptor(type);
    desc.num_mip_levels = 3;
    return make(desc, format);
  }
  /// Texel i of level l is 100 l + i + 1.
  void number_texels(cl_mem image, const Kind& kind) const {
    for (cl_uint level = 0; level < 3; ++level) {
      const Sizes size = level_size(kind, level);
      const std::vector<cl_uint> values = counting(texels_of(size), 100 * level + 1);
      REQUIRE(write(image, origin_of(kind, level), size, values.data()) == CL_SUCCESS);
    }
  }
  std::vector<cl_uint> level_texels(cl_mem image, const Kind& kind, std::size_t level) const {
    return texels(image, level_size(kind, level), origin_of(kind, level));
  }
  /// A line of 4, 2 and 1 floats: 1 2 3 4, 10 20, 100.
  Memory line() const {
    cl_image_desc desc = plane(4);
    desc.num_mip_levels = 3;
    Memory image = make(desc, {CL_R, CL_FLOAT});
    const float levels[3][4] = {{1, 2, 3, 4}, {10, 20}, {100}};
    for (std::size_t l = 0; l < 3; ++l)
      CHECK(write(image, Origin{0, l}, {std::size_t{4} >> l, 1, 1}, levels[l]) == CL_SUCCESS);
    return image;
  }
  /// The floats that a kernel of an image, a sampler (if any) and a buffer stores.
  std::vector<float> run(const char* source, cl_mem image, cl_sampler how, std::size_t count) {
    const Kernel k = kernel(built(source, "-cl-std=CL3.0"), "k");
    if (how != nullptr)
      set(k, image, how, store);
    else
      set(k, image, store);
    CHECK(enqueue(k, {count}) == CL_SUCCESS);
    return Host::read<float>(store, count);
  }
};

using Floats = std::vector<float>;
using List = std::vector<cl_sampler_properties>;

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: what they are") {
  for (const Kind& kind : kKinds) {
    const Memory image = mipmap(kind.type);
    CHECK(image_info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS) == 3);
    CHECK(size_info(image, CL_IMAGE_WIDTH) == 5);
    CHECK(size_info(image, CL_IMAGE_ROW_PITCH) == 20);
    std::size_t bytes = 0;
    for (std::size_t level = 0; level < 3; ++level) bytes += 4 * texels_of(level_size(kind, level));
    CHECK(memory_info<std::size_t>(image, CL_MEM_SIZE) == bytes);
  }
  cl_image_desc desc = descriptor();
  desc.num_mip_levels = 1;  // says no more than 0
  const Memory plain = make(desc);
  CHECK(image_info<cl_uint>(plain, CL_IMAGE_NUM_MIP_LEVELS) == 1);
  cl_uint texel = 0;
  CHECK(read(plain, Origin{0, 0, 0, 77}, {1, 1, 1}, &texel) == CL_SUCCESS);
  CHECK(read(plain, Origin{0, 0, 1, 0}, {1, 1, 1}, &texel) == CL_INVALID_VALUE);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: what is none") {
  const auto wrong = [&](auto change, cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D) {
    cl_image_desc desc = descriptor(type);
    desc.num_mip_levels = 2;
    change(desc);
    return refusal(desc);
  };
  constexpr cl_int kNone = CL_INVALID_IMAGE_DESCRIPTOR;
  CHECK(wrong([](auto& d) { d.num_mip_levels = 4; }) == kNone);
  CHECK(wrong([](auto& d) { d.num_mip_levels = ~cl_uint{0}; }) == kNone);
  CHECK(wrong([](auto& d) { d.image_width = d.image_height = 1; }) == kNone);
  // Neither the layers of an array nor a depth that it has not are sides that are halved.
  const auto thin = [](auto& d) {
    d.image_width = 1;
    d.image_height = d.image_depth = d.image_array_size = 8;
  };
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY})
    CHECK(wrong(thin, type) == kNone);
  CHECK(wrong([](auto& d) { d.num_samples = 2; }) == kNone);
  CHECK(wrong([](auto& d) { d.image_row_pitch = 64; }) == kNone);
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE1D_BUFFER})
    CHECK(wrong([&](auto& d) { d.mem_object = store; }, type) == kNone);
  cl_image_desc desc = descriptor();
  desc.num_mip_levels = 2;
  std::vector<cl_uint> host(64);
  for (const int flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, 0})
    CHECK(refusal(desc, kRgba8, static_cast<cl_mem_flags>(flags), host.data()) ==
          CL_INVALID_HOST_PTR);
  CHECK(refusal(desc, kRgba8, CL_MEM_COPY_HOST_PTR) == CL_INVALID_HOST_PTR);
  make(desc, kRgba8, CL_MEM_ALLOC_HOST_PTR);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: levels are read and written by themselves") {
  for (const Kind& kind : kKinds) {
    const Memory image = mipmap(kind.type);
    number_texels(image, kind);
    for (cl_uint level = 0; level < 3; ++level)
      CHECK(level_texels(image, kind, level) ==
            counting(texels_of(level_size(kind, level)), 100 * level + 1));
    cl_uint texel = 0;
    Origin last = origin_of(kind, 1);
    last[0] = 1;
    CHECK(read(image, last, {1, 1, 1}, &texel) == CL_SUCCESS);
    CHECK(texel == 102);
    last[0] = 2;  // in level 0 alone
    CHECK(read(image, last, {1, 1, 1}, &texel) == CL_INVALID_VALUE);
    CHECK(write(image, last, {1, 1, 1}, &texel) == CL_INVALID_VALUE);
    CHECK(read(image, origin_of(kind, 2), {2, 1, 1}, &texel) == CL_INVALID_VALUE);
    for (const std::size_t level : {std::size_t{3}, SIZE_MAX}) {
      CHECK(read(image, origin_of(kind, level), {1, 1, 1}, &texel) == CL_INVALID_MIP_LEVEL);
      CHECK(write(image, origin_of(kind, level), {1, 1, 1}, &texel) == CL_INVALID_MIP_LEVEL);
    }
    // A level is no coordinate.
    Sizes deep{1, 1, 1};
    if (kind.coordinates < 3) {
      deep[kind.coordinates] = 2;
      CHECK(read(image, origin_of(kind, 0), deep, &texel) == CL_INVALID_VALUE);
    }
  }
  const Memory line = mipmap(CL_MEM_OBJECT_IMAGE1D);
  cl_uint texel = 0;
  CHECK(read(line, Origin{0, 1, 1}, {1, 1, 1}, &texel) == CL_INVALID_VALUE);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: copies between levels, and images without any") {
  for (const Kind& kind : kKinds) {
    const Memory image = mipmap(kind.type), plain = make(kind.type);
    number_texels(image, kind);
    const Sizes small = level_size(kind, 1);
    // The same coordinates of two levels are no overlap.
    CHECK(copy(image, image, origin_of(kind, 1), origin_of(kind, 0), small) == CL_SUCCESS);
    CHECK(copy(image, image, origin_of(kind, 1), origin_of(kind, 1), small) == CL_MEM_COPY_OVERLAP);
    CHECK(level_texels(image, kind, 0)[0] == 101);
    CHECK(level_texels(image, kind, 0)[1] == 102);
    CHECK(level_texels(image, kind, 0)[2] == 3);
    CHECK(level_texels(image, kind, 1) == counting(texels_of(small), 101));
    CHECK(copy(image, plain, origin_of(kind, 2), {}, {1, 1, 1}) == CL_SUCCESS);
    CHECK(texels(plain, {1, 1, 1})[0] == 201);
    CHECK(copy(plain, image, Origin{1}, origin_of(kind, 2), {1, 1, 1}) == CL_SUCCESS);
    CHECK(copy(image, image, origin_of(kind, 0), origin_of(kind, 2), {2, 1, 1}) ==
          CL_INVALID_VALUE);
    CHECK(copy(image, plain, origin_of(kind, 3), Origin{}, {1, 1, 1}) == CL_INVALID_MIP_LEVEL);
    CHECK(copy(plain, image, Origin{}, origin_of(kind, 3), {1, 1, 1}) == CL_INVALID_MIP_LEVEL);
  }
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: levels to and from buffers, and fills") {
  for (const Kind& kind : kKinds) {
    const Memory image = mipmap(kind.type);
    number_texels(image, kind);
    const Sizes small = level_size(kind, 1), one{1, 1, 1}, all = level_size(kind, 0);
    const Origin level0 = origin_of(kind, 0), level1 = origin_of(kind, 1),
                 level2 = origin_of(kind, 2), beyond = origin_of(kind, 3);
    CHECK(to_buffer(image, level1, small, 64) == CL_SUCCESS);
    const std::vector<cl_uint> found = Host::read<cl_uint>(store, 16 + texels_of(small));
    CHECK(std::vector<cl_uint>(found.begin() + 16, found.end()) == counting(texels_of(small), 101));
    CHECK(from_buffer(image, 64, level2, one) == CL_SUCCESS);
    CHECK(level_texels(image, kind, 2)[0] == 101);
    const cl_uint color[4] = {1, 2, 3, 4};
    CHECK(fill(image, color, level1, small) == CL_SUCCESS);
    CHECK(level_texels(image, kind, 1) == std::vector<cl_uint>(texels_of(small), 0x04030201));
    CHECK(level_texels(image, kind, 0) == counting(texels_of(all)));
    CHECK(level_texels(image, kind, 2)[0] == 101);
    CHECK(to_buffer(image, beyond, one, 0) == CL_INVALID_MIP_LEVEL);
    CHECK(from_buffer(image, 0, beyond, one) == CL_INVALID_MIP_LEVEL);
    CHECK(fill(image, color, beyond, one) == CL_INVALID_MIP_LEVEL);
    CHECK(fill(image, color, level0, all) == CL_SUCCESS);
    CHECK(fill(image, color, level1, all) == CL_INVALID_VALUE);
  }
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: maps of levels") {
  for (const Kind& kind : kKinds) {
    const Memory image = mipmap(kind.type);
    number_texels(image, kind);
    const auto map_level = [&](std::size_t level, const Sizes& region) {
      return map(image, CL_MAP_WRITE, origin_of(kind, level), region);
    };
    const Sizes small = level_size(kind, 1);
    cl_uint* const first = map_level(1, small);
    REQUIRE(code == CL_SUCCESS);
    CHECK(row_pitch == 8);  // that of the level
    CHECK(slice_pitch ==
          (kind.type == CL_MEM_OBJECT_IMAGE1D || kind.type == CL_MEM_OBJECT_IMAGE2D ? 0 : 8));
    CHECK(first[0] == 101);
    first[1] = 99;
    cl_uint* const other =
        map_level(0, level_size(kind, 0));  // other texels, at the same coordinates
    CHECK(code == CL_SUCCESS);
    CHECK(map_level(1, {1, 1, 1}) == nullptr);
    CHECK(code == CL_INVALID_OPERATION);
    CHECK(map_level(3, {1, 1, 1}) == nullptr);
    CHECK(code == CL_INVALID_MIP_LEVEL);
    for (cl_uint* const mapped : {first, other}) CHECK(unmap(image, mapped) == CL_SUCCESS);
    CHECK(level_texels(image, kind, 1)[1] == 99);
  }
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: a view of all levels") {
  const Kind& flat = kKinds[2];
  const Memory linear = mipmap(flat.type, {CL_RGBA, CL_UNORM_INT8});
  number_texels(linear, flat);
  cl_image_desc desc = descriptor();
  desc.mem_object = linear;
  CHECK(refusal(desc, {CL_sRGBA, CL_UNORM_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.num_mip_levels = 2;
  CHECK(refusal(desc, {CL_sRGBA, CL_UNORM_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.num_mip_levels = 3;
  const Memory view = make(desc, {CL_sRGBA, CL_UNORM_INT8});
  CHECK(level_texels(view, flat, 1) == counting(2, 101));
  CHECK(level_texels(view, flat, 2) == counting(1, 201));
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: samplers with levels of detail") {
  const Sampler plain = sampler(CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
  CHECK(sampler_info<cl_filter_mode>(plain, CL_SAMPLER_MIP_FILTER_MODE) == CL_FILTER_NEAREST);
  CHECK(sampler_info<cl_float>(plain, CL_SAMPLER_LOD_MIN) == 0.0f);
  CHECK(sampler_info<cl_float>(plain, CL_SAMPLER_LOD_MAX) == FLT_MAX);
  const List list{CL_SAMPLER_MIP_FILTER_MODE,
                  CL_FILTER_LINEAR,
                  CL_SAMPLER_LOD_MIN,
                  bits_of(0.5f),
                  CL_SAMPLER_LOD_MAX,
                  bits_of(1.25f),
                  0};
  const Sampler made = sampler(list);
  REQUIRE(code == CL_SUCCESS);
  CHECK(sampler_info<cl_filter_mode>(made, CL_SAMPLER_MIP_FILTER_MODE) == CL_FILTER_LINEAR);
  CHECK(sampler_info<cl_filter_mode>(made, CL_SAMPLER_FILTER_MODE) == CL_FILTER_NEAREST);
  CHECK(sampler_info<cl_float>(made, CL_SAMPLER_LOD_MIN) == 0.5f);
  CHECK(sampler_info<cl_float>(made, CL_SAMPLER_LOD_MAX) == 1.25f);
  CHECK(list_info<cl_sampler_properties>(clGetSamplerInfo, made, CL_SAMPLER_PROPERTIES) == list);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const List& wrong :
       std::vector{List{CL_SAMPLER_MIP_FILTER_MODE, 1, 0},
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
  const Memory image = line();
  const Sampler nearest = sampler(List{CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE, 0});
  CHECK(run(kSource, image, nearest, 6) == Floats{2, 2, 10, 10, 100, 100});
  const Sampler linear = sampler(List{CL_SAMPLER_MIP_FILTER_MODE, CL_FILTER_LINEAR, 0});
  CHECK(run(kSource, image, linear, 6) == Floats{2, 6, 10, 55, 100, 100});
  const Sampler limited =
      sampler(List{CL_SAMPLER_MIP_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_LOD_MIN, bits_of(0.5f),
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
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: kernels ask for the levels, and write them") {
  const Memory image = line();
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
    CHECK(read(image, Origin{0, l}, {std::size_t{4} >> l, 1, 1}, levels[l]) == CL_SUCCESS);
  CHECK(Floats(levels[0], levels[0] + 4) == Floats{0.5f, 2, 3, 7});
  CHECK(Floats(levels[1], levels[1] + 2) == Floats{1.5f, 20});
  CHECK(levels[2][0] == 2.5f);
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: of depths") {
  const Memory image = mipmap(CL_MEM_OBJECT_IMAGE2D, {CL_DEPTH, CL_FLOAT});
  run(R"(
    kernel void k(write_only image2d_depth_t image, global float* out) {
      const int i = get_global_id(0);
      write_imagef(image, (int2)(0), i, i + 0.5f);
    })",
      image, nullptr, 3);
  const Sampler how = sampler(List{CL_SAMPLER_MIP_FILTER_MODE, CL_FILTER_LINEAR, 0});
  CHECK(run(R"(
    kernel void k(read_only image2d_depth_t image, sampler_t how, global float* out) {
      const int i = get_global_id(0);
      out[i] = read_imagef(image, how, (float2)(0), i * 0.5f);
    })",
            image, how, 5) == Floats{0.5f, 1, 1.5f, 2, 2.5f});
}

TEST_CASE_FIXTURE(Mipmaps, "mipmaps: OpenCL C 1.2 has no functions of theirs") {
  CHECK(built("#if defined(cl_khr_mipmap_image) || defined(cl_khr_mipmap_image_writes)\n"
              "#error there\n#endif\nkernel void k() {}",
              "-cl-std=CL1.2") != nullptr);
}

}  // namespace
}  // namespace transpire::test::mipmaps_tests
