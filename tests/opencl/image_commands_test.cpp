// Images: copies between all kinds, to and from buffers, fills' conversions, maps, and samplers.
#include <cstring>

#include "tests/opencl/images.h"

namespace transpire::test {
namespace {

/// The texel at (2, 1) of a plane of such a format that a fill gave the color, as bytes.
template <class T>
std::vector<unsigned> filled(const Images& host, const cl_image_format& format,
                             const std::array<T, 4>& color) {
  const cl_mem image = host.make(descriptor(CL_MEM_OBJECT_IMAGE2D), format);
  const Sizes region{5, 3, 1};
  REQUIRE(clEnqueueFillImage(host.queue, image, color.data(), kZero.data(), region.data(), 0,
                             nullptr, nullptr) == CL_SUCCESS);
  const std::size_t size = host.size_info(image, CL_IMAGE_ELEMENT_SIZE);
  std::vector<unsigned char> bytes(size);
  CHECK(host.read(image, {2, 1, 0}, {1, 1, 1}, bytes.data()) == CL_SUCCESS);
  clReleaseMemObject(image);
  return {bytes.begin(), bytes.end()};
}

cl_uint map_count(const Images& host, cl_mem memory) {
  return host.memory_info<cl_uint>(memory, CL_MEM_MAP_COUNT);
}

struct Maps : Images {
  cl_int code = 0;
  std::size_t row_pitch = 1, slice_pitch = 1;

  void* map(cl_mem image, cl_map_flags flags, const Sizes& origin, const Sizes& region) {
    return clEnqueueMapImage(queue, image, CL_TRUE, flags, origin.data(), region.data(), &row_pitch,
                             &slice_pitch, 0, nullptr, nullptr, &code);
  }
  cl_int unmap(cl_mem image, void* pointer) const {
    return clEnqueueUnmapMemObject(queue, image, pointer, 0, nullptr, nullptr);
  }
};

template <class T>
T sampler_info(cl_sampler sampler, cl_sampler_info name) {
  T value{};
  REQUIRE(clGetSamplerInfo(sampler, name, sizeof value, &value, nullptr) == CL_SUCCESS);
  return value;
}

}  // namespace

TEST_CASE_FIXTURE(Images, "image commands: copies from every type to every type") {
  for (const cl_mem_object_type from_type : kTypes)
    for (const cl_mem_object_type to_type : kTypes) {
      const cl_mem from = make(from_type);
      cl_image_desc desc = descriptor(to_type);
      const cl_mem store = clCreateBuffer(context, 0, 256, nullptr, nullptr);
      if (to_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = store;
      const cl_mem to = make(desc);
      const Sizes a = region_of(from_type), b = region_of(to_type);
      const Sizes box{3, std::min(a[1], b[1]), std::min(a[2], b[2])};
      const std::vector<cl_uint> values = counting(texels_of(a));
      const std::vector<cl_uint> zeros(texels_of(b));
      CHECK(write(from, kZero, a, values.data()) == CL_SUCCESS);
      CHECK(write(to, kZero, b, zeros.data()) == CL_SUCCESS);
      CHECK(copy(from, to, {2, 0, 0}, {1, 0, 0}, box) == CL_SUCCESS);
      std::vector<cl_uint> found(texels_of(b));
      CHECK(read(to, kZero, b, found.data()) == CL_SUCCESS);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t x = i % 5, y = i / 5 % b[1], z = i / 5 / b[1];
        const bool inside = x >= 1 && x < 4 && y < box[1] && z < box[2];
        CHECK(found[i] == (inside ? values[(z * a[1] + y) * 5 + x + 1] : 0));
      }
      for (const cl_mem object : {from, to, store}) clReleaseMemObject(object);
    }
}

TEST_CASE_FIXTURE(Images, "image commands: a copy within an image") {
  const cl_mem image = make(CL_MEM_OBJECT_IMAGE2D);
  const std::vector<cl_uint> values = counting(15);
  CHECK(write(image, kZero, {5, 3, 1}, values.data()) == CL_SUCCESS);
  CHECK(copy(image, image, kZero, {1, 1, 0}, {2, 2, 1}) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(image, image, kZero, {2, 0, 0}, {2, 3, 1}) == CL_SUCCESS);
  std::vector<cl_uint> found(15);
  CHECK(read(image, kZero, {5, 3, 1}, found.data()) == CL_SUCCESS);
  CHECK(found == std::vector<cl_uint>{1, 2, 1, 2, 5, 6, 7, 6, 7, 10, 11, 12, 11, 12, 15});
  CHECK(copy(image, image, {4, 0, 0}, kZero, {2, 1, 1}) == CL_INVALID_VALUE);
  clReleaseMemObject(image);
}

TEST_CASE_FIXTURE(Images, "image commands: copies between images of one buffer") {
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  desc.mem_object = buffer;
  desc.image_row_pitch = 20;
  const cl_mem narrow = make(desc), same = make(desc);
  desc.image_row_pitch = 40;
  const cl_mem wide = make(desc);
  const std::vector<cl_uint> values = counting(15);
  CHECK(write(narrow, kZero, {5, 3, 1}, values.data()) == CL_SUCCESS);
  CHECK(copy(narrow, same, {0, 1, 0}, {0, 1, 0}, {2, 1, 1}) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(narrow, same, {0, 1, 0}, {2, 1, 0}, {2, 1, 1}) == CL_SUCCESS);
  // The second rows are other bytes: those of the wide image are the third one of the narrow one.
  CHECK(copy(narrow, wide, {0, 1, 0}, {0, 1, 0}, {2, 1, 1}) == CL_SUCCESS);
  std::vector<cl_uint> found(15);
  CHECK(read(narrow, kZero, {5, 3, 1}, found.data()) == CL_SUCCESS);
  CHECK(found == std::vector<cl_uint>{1, 2, 3, 4, 5, 6, 7, 6, 7, 10, 6, 7, 13, 14, 15});
  for (const cl_mem object : {wide, same, narrow}) clReleaseMemObject(object);
}

TEST_CASE_FIXTURE(Images, "image commands: to and from buffers") {
  for (const cl_mem_object_type type : kTypes) {
    cl_image_desc desc = descriptor(type);
    const cl_mem store = clCreateBuffer(context, 0, 256, nullptr, nullptr);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = store;
    const cl_mem image = make(desc);
    const Sizes region = region_of(type);
    const Sizes origin{1, 0, 0}, box{4, region[1], region[2]};
    const std::vector<cl_uint> values = counting(texels_of(box));
    CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 64, values.size() * 4, values.data(), 0,
                               nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueCopyBufferToImage(queue, buffer, image, 64, origin.data(), box.data(), 0,
                                     nullptr, nullptr) == CL_SUCCESS);
    CHECK(clEnqueueCopyImageToBuffer(queue, image, buffer, origin.data(), box.data(), 1024, 0,
                                     nullptr, nullptr) == CL_SUCCESS);
    std::vector<cl_uint> found(values.size());
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 1024, found.size() * 4, found.data(), 0,
                              nullptr, nullptr) == CL_SUCCESS);
    CHECK(found == values);
    std::vector<cl_uint> texels(texels_of(region));
    CHECK(read(image, kZero, region, texels.data()) == CL_SUCCESS);
    CHECK(texels[1] == 1);
    CHECK(texels[4] == 4);
    const std::size_t bytes = values.size() * 4;
    CHECK(clEnqueueCopyImageToBuffer(queue, image, buffer, origin.data(), box.data(),
                                     4096 - bytes + 1, 0, nullptr, nullptr) == CL_INVALID_VALUE);
    for (const cl_mem object : {image, store}) clReleaseMemObject(object);
  }
}

TEST_CASE_FIXTURE(Images, "image commands: a fill converts its color") {
  const std::array<cl_float, 4> color{1.0f, 0.5f, -1.0f, 2.0f};
  using Bytes = std::vector<unsigned>;
  CHECK(filled(*this, {CL_RGBA, CL_UNORM_INT8}, color) == Bytes{255, 128, 0, 255});
  CHECK(filled(*this, {CL_BGRA, CL_UNORM_INT8}, color) == Bytes{0, 128, 255, 255});
  CHECK(filled(*this, {CL_RGBA, CL_SNORM_INT8}, color) == Bytes{127, 64, 0x81, 127});
  CHECK(filled(*this, {CL_sRGBA, CL_UNORM_INT8}, color) == Bytes{255, 188, 0, 255});
  CHECK(filled(*this, {CL_RG, CL_HALF_FLOAT}, color) == Bytes{0, 0x3c, 0, 0x38});
  CHECK(filled(*this, {CL_A, CL_FLOAT}, color) == Bytes{0, 0, 0, 0x40});
  CHECK(filled(*this, {CL_DEPTH, CL_FLOAT}, color) == Bytes{0, 0, 0x80, 0x3f});
  CHECK(filled(*this, {CL_RGB, CL_UNORM_SHORT_565}, color) == Bytes{0x00, 0xfc});
  CHECK(filled(*this, {CL_RGBA, CL_SIGNED_INT8}, std::array<cl_int, 4>{1, -2, 300, -300}) ==
        Bytes{1, 0xfe, 127, 0x80});
  CHECK(filled(*this, {CL_R, CL_UNSIGNED_INT16}, std::array<cl_uint, 4>{70'000, 0, 0, 0}) ==
        Bytes{0xff, 0xff});
}

TEST_CASE_FIXTURE(Maps, "image commands: maps of every type") {
  for (const cl_mem_object_type type : kTypes) {
    const cl_mem image = make(type);
    const Sizes region = region_of(type);
    const std::vector<cl_uint> values = counting(texels_of(region));
    CHECK(write(image, kZero, region, values.data()) == CL_SUCCESS);
    const Sizes last{1, region[1] - 1, region[2] - 1};
    auto* const texels = static_cast<cl_uint*>(map(image, CL_MAP_WRITE, last, {2, 1, 1}));
    REQUIRE(code == CL_SUCCESS);
    CHECK(row_pitch == size_info(image, CL_IMAGE_ROW_PITCH));
    CHECK(slice_pitch == size_info(image, CL_IMAGE_SLICE_PITCH));
    CHECK(texels[0] == values[values.size() - 4]);
    texels[1] = 99;
    CHECK(map_count(*this, image) == 1);
    CHECK(unmap(image, texels) == CL_SUCCESS);
    CHECK(map_count(*this, image) == 0);
    CHECK(unmap(image, texels) == CL_INVALID_VALUE);
    cl_uint found = 0;
    CHECK(read(image, {2, last[1], last[2]}, {1, 1, 1}, &found) == CL_SUCCESS);
    CHECK(found == 99);
    clReleaseMemObject(image);
  }
}

TEST_CASE_FIXTURE(Maps, "image commands: boxes that are mapped for writing do not overlap") {
  const cl_mem image = make(CL_MEM_OBJECT_IMAGE2D);
  void* const left = map(image, CL_MAP_WRITE, kZero, {2, 3, 1});
  CHECK(code == CL_SUCCESS);
  void* const right = map(image, CL_MAP_WRITE_INVALIDATE_REGION, {2, 0, 0}, {3, 3, 1});
  CHECK(code == CL_SUCCESS);  // among the same bytes, but none of them twice
  CHECK(map(image, CL_MAP_WRITE, {1, 1, 0}, {2, 1, 1}) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  void* const seen = map(image, CL_MAP_READ, {1, 1, 0}, {2, 1, 1});
  CHECK(code == CL_SUCCESS);
  for (void* const pointer : {left, right, seen}) CHECK(unmap(image, pointer) == CL_SUCCESS);
  std::size_t pitch = 0;
  const cl_mem deep = make(CL_MEM_OBJECT_IMAGE3D);
  const Sizes one{1, 1, 1};
  CHECK(clEnqueueMapImage(queue, deep, CL_TRUE, CL_MAP_READ, kZero.data(), one.data(), &pitch,
                          nullptr, 0, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  for (const cl_mem object : {image, deep}) clReleaseMemObject(object);
}

TEST_CASE_FIXTURE(Maps, "image commands: maps of an image and of a view of it") {
  const cl_mem linear = make(descriptor(CL_MEM_OBJECT_IMAGE2D), {CL_RGBA, CL_UNORM_INT8});
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  desc.mem_object = linear;
  const cl_mem view = make(desc, {CL_sRGBA, CL_UNORM_INT8});
  void* const left = map(linear, CL_MAP_WRITE, kZero, {2, 3, 1});
  CHECK(code == CL_SUCCESS);
  void* const right = map(view, CL_MAP_WRITE, {2, 0, 0}, {3, 3, 1});
  CHECK(code == CL_SUCCESS);
  CHECK(map(view, CL_MAP_WRITE, {1, 2, 0}, {1, 1, 1}) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  CHECK(unmap(linear, left) == CL_SUCCESS);
  CHECK(unmap(view, right) == CL_SUCCESS);
  for (const cl_mem object : {view, linear}) clReleaseMemObject(object);
}

TEST_CASE_FIXTURE(Images, "image commands: events tell what they were") {
  const cl_mem image = make(CL_MEM_OBJECT_IMAGE2D);
  const cl_mem other = make(CL_MEM_OBJECT_IMAGE2D);
  std::vector<cl_uint> texels(15);
  const Sizes all{5, 3, 1}, one{1, 1, 1};
  const auto* const zero = kZero.data();
  cl_event events[9] = {};
  const cl_uint color[4] = {1, 1, 1, 1};
  CHECK(clEnqueueFillImage(queue, image, color, zero, all.data(), 0, nullptr, &events[0]) == 0);
  CHECK(clEnqueueCopyImage(queue, image, other, zero, zero, all.data(), 1, &events[0],
                           &events[1]) == 0);
  CHECK(clEnqueueCopyImageToBuffer(queue, other, buffer, zero, all.data(), 0, 0, nullptr,
                                   &events[2]) == 0);
  CHECK(clEnqueueCopyBufferToImage(queue, buffer, image, 0, zero, all.data(), 0, nullptr,
                                   &events[3]) == 0);
  CHECK(clEnqueueReadImage(queue, image, CL_FALSE, zero, all.data(), 0, 0, texels.data(), 0,
                           nullptr, &events[4]) == 0);
  CHECK(clEnqueueMigrateMemObjects(queue, 1, &image, 0, 0, nullptr, &events[5]) == 0);
  CHECK(clEnqueueWriteImage(queue, other, CL_FALSE, zero, one.data(), 0, 0, color, 0, nullptr,
                            &events[6]) == 0);
  std::size_t pitch = 0;
  cl_int code = 1;
  void* const mapped = clEnqueueMapImage(queue, image, CL_FALSE, CL_MAP_READ, zero, all.data(),
                                         &pitch, nullptr, 0, nullptr, &events[7], &code);
  CHECK(code == 0);
  CHECK(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, &events[8]) == 0);
  clReleaseMemObject(image);  // commands hold what they need
  clReleaseMemObject(other);
  CHECK(clFinish(queue) == CL_SUCCESS);
  CHECK(texels == std::vector<cl_uint>(15, 0x01010101));
  constexpr cl_command_type kExpected[] = {
      CL_COMMAND_FILL_IMAGE,           CL_COMMAND_COPY_IMAGE, CL_COMMAND_COPY_IMAGE_TO_BUFFER,
      CL_COMMAND_COPY_BUFFER_TO_IMAGE, CL_COMMAND_READ_IMAGE, CL_COMMAND_MIGRATE_MEM_OBJECTS,
      CL_COMMAND_WRITE_IMAGE,          CL_COMMAND_MAP_IMAGE,  CL_COMMAND_UNMAP_MEM_OBJECT};
  for (std::size_t i = 0; i < 9; ++i) {
    cl_command_type type = 0;
    CHECK(clGetEventInfo(events[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr) == 0);
    CHECK(type == kExpected[i]);
    clReleaseEvent(events[i]);
  }
}

TEST_CASE_FIXTURE(Images, "samplers: what they are made of") {
  cl_int code = 0;
  const cl_sampler plain = clCreateSamplerWithProperties(context, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(sampler_info<cl_bool>(plain, CL_SAMPLER_NORMALIZED_COORDS) == CL_TRUE);
  CHECK(sampler_info<cl_addressing_mode>(plain, CL_SAMPLER_ADDRESSING_MODE) == CL_ADDRESS_CLAMP);
  CHECK(sampler_info<cl_filter_mode>(plain, CL_SAMPLER_FILTER_MODE) == CL_FILTER_NEAREST);
  CHECK(sampler_info<cl_context>(plain, CL_SAMPLER_CONTEXT) == context);
  std::size_t size = 99;
  CHECK(clGetSamplerInfo(plain, CL_SAMPLER_PROPERTIES, 0, nullptr, &size) == CL_SUCCESS);
  CHECK(size == 0);
  const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                        CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_MIRRORED_REPEAT, 0};
  const cl_sampler listed = clCreateSamplerWithProperties(context, list, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(sampler_info<cl_filter_mode>(listed, CL_SAMPLER_FILTER_MODE) == CL_FILTER_LINEAR);
  CHECK(sampler_info<cl_addressing_mode>(listed, CL_SAMPLER_ADDRESSING_MODE) ==
        CL_ADDRESS_MIRRORED_REPEAT);
  CHECK((sampler_info<std::array<cl_sampler_properties, 5>>(listed, CL_SAMPLER_PROPERTIES) ==
         std::array<cl_sampler_properties, 5>{list[0], list[1], list[2], list[3], 0}));
  const cl_sampler old =
      clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(sampler_info<cl_bool>(old, CL_SAMPLER_NORMALIZED_COORDS) == CL_FALSE);
  CHECK(clRetainSampler(old) == CL_SUCCESS);
  CHECK(sampler_info<cl_uint>(old, CL_SAMPLER_REFERENCE_COUNT) == 2);
  for (const cl_sampler sampler : {old, old, listed, plain})
    CHECK(clReleaseSampler(sampler) == CL_SUCCESS);
}

}  // namespace transpire::test
