// Images: copies between all kinds, to and from buffers, fills' conversions, maps, and samplers.
#include "tests/opencl/images.h"

namespace transpire::test::image_commands_tests {
namespace {

/// The texel at (2, 1) of a plane of such a format that a fill gave the color, as bytes.
template <class T>
std::vector<unsigned> filled(const Images& host, const cl_image_format& format,
                             const std::array<T, 4>& color) {
  const Memory image = host.make(descriptor(), format);
  REQUIRE(host.fill(image, color.data(), kZero, {5, 3, 1}) == CL_SUCCESS);
  std::vector<unsigned char> bytes(host.size_info(image, CL_IMAGE_ELEMENT_SIZE));
  CHECK(host.read(image, {2, 1, 0}, {1, 1, 1}, bytes.data()) == CL_SUCCESS);
  return {bytes.begin(), bytes.end()};
}

TEST_CASE_FIXTURE(Images, "image commands: copies from every type to every type") {
  for (const cl_mem_object_type from_type : kTypes)
    for (const cl_mem_object_type to_type : kTypes) {
      const Memory other_store = buffer(256);
      const Memory from = make(from_type), to = make(to_type, other_store);
      const Sizes a = region_of(from_type), b = region_of(to_type);
      const Sizes box{3, std::min(a[1], b[1]), std::min(a[2], b[2])};
      const std::vector<cl_uint> values = number(from, a), zeros(texels_of(b));
      CHECK(write(to, kZero, b, zeros.data()) == CL_SUCCESS);
      CHECK(copy(from, to, {2, 0, 0}, {1, 0, 0}, box) == CL_SUCCESS);
      const std::vector<cl_uint> found = texels(to, b);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t x = i % 5, y = i / 5 % b[1], z = i / 5 / b[1];
        const bool inside = x >= 1 && x < 4 && y < box[1] && z < box[2];
        CHECK(found[i] == (inside ? values[(z * a[1] + y) * 5 + x + 1] : 0));
      }
    }
}

TEST_CASE_FIXTURE(Images, "image commands: a copy within an image") {
  const Memory image = make(CL_MEM_OBJECT_IMAGE2D);
  number(image, {5, 3, 1});
  CHECK(copy(image, image, kZero, {1, 1, 0}, {2, 2, 1}) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(image, image, kZero, {2, 0, 0}, {2, 3, 1}) == CL_SUCCESS);
  CHECK(texels(image, {5, 3, 1}) ==
        std::vector<cl_uint>{1, 2, 1, 2, 5, 6, 7, 6, 7, 10, 11, 12, 11, 12, 15});
  CHECK(copy(image, image, {4, 0, 0}, kZero, {2, 1, 1}) == CL_INVALID_VALUE);
}

TEST_CASE_FIXTURE(Images, "image commands: copies between images of one buffer") {
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D, store);
  desc.image_row_pitch = 20;
  const Memory narrow = make(desc), same = make(desc);
  desc.image_row_pitch = 40;
  const Memory wide = make(desc);
  number(narrow, {5, 3, 1});
  CHECK(copy(narrow, same, {0, 1, 0}, {0, 1, 0}, {2, 1, 1}) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(narrow, same, {0, 1, 0}, {2, 1, 0}, {2, 1, 1}) == CL_SUCCESS);
  // The second rows are other bytes: those of the wide image are the third one of the narrow one.
  CHECK(copy(narrow, wide, {0, 1, 0}, {0, 1, 0}, {2, 1, 1}) == CL_SUCCESS);
  CHECK(texels(narrow, {5, 3, 1}) ==
        std::vector<cl_uint>{1, 2, 3, 4, 5, 6, 7, 6, 7, 10, 6, 7, 13, 14, 15});
}

TEST_CASE_FIXTURE(Images, "image commands: to and from buffers") {
  for (const cl_mem_object_type type : kTypes) {
    const Memory other_store = buffer(256), image = make(type, other_store);
    const Sizes region = region_of(type), origin{1, 0, 0}, box{4, region[1], region[2]};
    const std::vector<cl_uint> values = counting(texels_of(box));
    const std::size_t bytes = values.size() * 4;
    CHECK(issue(clEnqueueWriteBuffer, queue, store, CL_TRUE, 64, bytes, values.data()) ==
          CL_SUCCESS);
    CHECK(from_buffer(image, 64, origin, box) == CL_SUCCESS);
    CHECK(to_buffer(image, origin, box, 1024) == CL_SUCCESS);
    const std::vector<cl_uint> found = Host::read<cl_uint>(store, 256 + values.size());
    CHECK(std::vector<cl_uint>(found.begin() + 256, found.end()) == values);
    CHECK(texels(image, region)[1] == 1);
    CHECK(texels(image, region)[4] == 4);
    CHECK(to_buffer(image, origin, box, 4096 - bytes + 1) == CL_INVALID_VALUE);
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

TEST_CASE_FIXTURE(Images, "image commands: maps of every type") {
  for (const cl_mem_object_type type : kTypes) {
    const Memory image = make(type);
    const Sizes region = region_of(type), last{1, region[1] - 1, region[2] - 1};
    const std::vector<cl_uint> values = number(image, region);
    cl_uint* const mapped = map(image, CL_MAP_WRITE, last, {2, 1, 1});
    REQUIRE(code == CL_SUCCESS);
    CHECK(row_pitch == size_info(image, CL_IMAGE_ROW_PITCH));
    CHECK(slice_pitch == size_info(image, CL_IMAGE_SLICE_PITCH));
    CHECK(mapped[0] == values[values.size() - 4]);
    mapped[1] = 99;
    CHECK(memory_info<cl_uint>(image, CL_MEM_MAP_COUNT) == 1);
    CHECK(unmap(image, mapped) == CL_SUCCESS);
    CHECK(memory_info<cl_uint>(image, CL_MEM_MAP_COUNT) == 0);
    CHECK(unmap(image, mapped) == CL_INVALID_VALUE);
    CHECK(texels(image, {1, 1, 1}, Sizes{2, last[1], last[2]})[0] == 99);
  }
}

TEST_CASE_FIXTURE(Images, "image commands: boxes that are mapped for writing do not overlap") {
  const Memory image = make(CL_MEM_OBJECT_IMAGE2D), deep = make(CL_MEM_OBJECT_IMAGE3D);
  void* const left = map(image, CL_MAP_WRITE, kZero, {2, 3, 1});
  CHECK(code == CL_SUCCESS);
  void* const right = map(image, CL_MAP_WRITE_INVALIDATE_REGION, {2, 0, 0}, {3, 3, 1});
  CHECK(code == CL_SUCCESS);  // among the same bytes, but none of them twice
  CHECK(map(image, CL_MAP_WRITE, {1, 1, 0}, {2, 1, 1}) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  void* const seen = map(image, CL_MAP_READ, {1, 1, 0}, {2, 1, 1});
  CHECK(code == CL_SUCCESS);
  for (void* const pointer : {left, right, seen}) CHECK(unmap(image, pointer) == CL_SUCCESS);
  const Sizes one{1, 1, 1};
  CHECK(clEnqueueMapImage(queue, deep, CL_TRUE, CL_MAP_READ, kZero.data(), one.data(), &row_pitch,
                          nullptr, 0, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE_FIXTURE(Images, "image commands: maps of an image and of a view of it") {
  const Memory linear = make(descriptor(), {CL_RGBA, CL_UNORM_INT8});
  const Memory view = make(descriptor(CL_MEM_OBJECT_IMAGE2D, linear), {CL_sRGBA, CL_UNORM_INT8});
  void* const left = map(linear, CL_MAP_WRITE, kZero, {2, 3, 1});
  CHECK(code == CL_SUCCESS);
  void* const right = map(view, CL_MAP_WRITE, {2, 0, 0}, {3, 3, 1});
  CHECK(code == CL_SUCCESS);
  CHECK(map(view, CL_MAP_WRITE, {1, 2, 0}, {1, 1, 1}) == nullptr);
  CHECK(code == CL_INVALID_OPERATION);
  CHECK(unmap(linear, left) == CL_SUCCESS);
  CHECK(unmap(view, right) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Images, "image commands: events tell what they were") {
  Memory image = make(CL_MEM_OBJECT_IMAGE2D), other = make(CL_MEM_OBJECT_IMAGE2D);
  std::vector<cl_uint> found(15);
  const Sizes all{5, 3, 1}, one{1, 1, 1};
  const std::size_t *const zero = kZero.data(), *const whole = all.data();
  Event e[9];
  const cl_uint color[4] = {1, 1, 1, 1};
  CHECK(clEnqueueFillImage(queue, image, color, zero, whole, 0, nullptr, &e[0]) == 0);
  CHECK(clEnqueueCopyImage(queue, image, other, zero, zero, whole, 1, &e[0], &e[1]) == 0);
  CHECK(clEnqueueCopyImageToBuffer(queue, other, store, zero, whole, 0, 0, nullptr, &e[2]) == 0);
  CHECK(clEnqueueCopyBufferToImage(queue, store, image, 0, zero, whole, 0, nullptr, &e[3]) == 0);
  CHECK(clEnqueueReadImage(queue, image, CL_FALSE, zero, whole, 0, 0, found.data(), 0, nullptr,
                           &e[4]) == 0);
  CHECK(clEnqueueMigrateMemObjects(queue, 1, &image, 0, 0, nullptr, &e[5]) == 0);
  CHECK(clEnqueueWriteImage(queue, other, CL_FALSE, zero, one.data(), 0, 0, color, 0, nullptr,
                            &e[6]) == 0);
  void* const mapped = clEnqueueMapImage(queue, image, CL_FALSE, CL_MAP_READ, zero, whole,
                                         &row_pitch, nullptr, 0, nullptr, &e[7], &code);
  CHECK(code == 0);
  CHECK(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, &e[8]) == 0);
  image.drop();  // commands hold what they need
  other.drop();
  CHECK(clFinish(queue) == CL_SUCCESS);
  CHECK(found == std::vector<cl_uint>(15, 0x01010101));
  constexpr cl_command_type kExpected[] = {
      CL_COMMAND_FILL_IMAGE,           CL_COMMAND_COPY_IMAGE, CL_COMMAND_COPY_IMAGE_TO_BUFFER,
      CL_COMMAND_COPY_BUFFER_TO_IMAGE, CL_COMMAND_READ_IMAGE, CL_COMMAND_MIGRATE_MEM_OBJECTS,
      CL_COMMAND_WRITE_IMAGE,          CL_COMMAND_MAP_IMAGE,  CL_COMMAND_UNMAP_MEM_OBJECT};
  for (std::size_t i = 0; i < 9; ++i)
    CHECK(info<cl_command_type>(clGetEventInfo, e[i], CL_EVENT_COMMAND_TYPE) == kExpected[i]);
}

TEST_CASE_FIXTURE(Images, "samplers: what they are made of") {
  const Sampler plain = sampler({});
  REQUIRE(code == CL_SUCCESS);
  CHECK(sampler_info<cl_bool>(plain, CL_SAMPLER_NORMALIZED_COORDS) == CL_TRUE);
  CHECK(sampler_info<cl_addressing_mode>(plain, CL_SAMPLER_ADDRESSING_MODE) == CL_ADDRESS_CLAMP);
  CHECK(sampler_info<cl_filter_mode>(plain, CL_SAMPLER_FILTER_MODE) == CL_FILTER_NEAREST);
  CHECK(sampler_info<cl_context>(plain, CL_SAMPLER_CONTEXT) == context);
  CHECK(list_info<char>(clGetSamplerInfo, plain, CL_SAMPLER_PROPERTIES).empty());
  const std::vector<cl_sampler_properties> list{CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                                CL_SAMPLER_ADDRESSING_MODE,
                                                CL_ADDRESS_MIRRORED_REPEAT, 0};
  const Sampler listed = sampler(list);
  REQUIRE(code == CL_SUCCESS);
  CHECK(sampler_info<cl_filter_mode>(listed, CL_SAMPLER_FILTER_MODE) == CL_FILTER_LINEAR);
  CHECK(sampler_info<cl_addressing_mode>(listed, CL_SAMPLER_ADDRESSING_MODE) ==
        CL_ADDRESS_MIRRORED_REPEAT);
  CHECK(list_info<cl_sampler_properties>(clGetSamplerInfo, listed, CL_SAMPLER_PROPERTIES) == list);
  const Sampler old = sampler(CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR);
  CHECK(sampler_info<cl_bool>(old, CL_SAMPLER_NORMALIZED_COORDS) == CL_FALSE);
  CHECK(clRetainSampler(old) == CL_SUCCESS);
  CHECK(sampler_info<cl_uint>(old, CL_SAMPLER_REFERENCE_COUNT) == 2);
  CHECK(clReleaseSampler(old) == CL_SUCCESS);
  CHECK(sampler_info<cl_uint>(old, CL_SAMPLER_REFERENCE_COUNT) == 1);
}

}  // namespace
}  // namespace transpire::test::image_commands_tests
