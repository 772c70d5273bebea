// Images on the host's side: what they may be made of, what they say of themselves, and the box commands.
#include "tests/opencl/images.h"

#include <set>

namespace transpire::test::images_tests {
namespace {

using FormatPair = std::pair<cl_channel_order, cl_channel_type>;

std::set<FormatPair> formats_of(cl_context context, cl_mem_flags flags, cl_mem_object_type type) {
  cl_uint count = 0;
  REQUIRE(clGetSupportedImageFormats(context, flags, type, 0, nullptr, &count) == CL_SUCCESS);
  std::vector<cl_image_format> list(count);
  REQUIRE(clGetSupportedImageFormats(context, flags, type, count, list.data(), nullptr) ==
          CL_SUCCESS);
  std::set<FormatPair> found;
  for (const cl_image_format& format : list)
    found.insert({format.image_channel_order, format.image_channel_data_type});
  CHECK(found.size() == count);
  return found;
}

/// Notes in `called` that an object is gone.
std::vector<int> called;
void note_end(cl_mem object, int& number) {
  const auto note = [](cl_mem, void* data) { called.push_back(*static_cast<int*>(data)); };
  CHECK(clSetMemObjectDestructorCallback(object, note, &number) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Images, "images: what a new one says of itself") {
  for (const cl_mem_object_type type : kTypes) {
    const Memory image = make(type);
    const Sizes region = region_of(type);
    const bool is_array =
        type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    const bool is_3d = type == CL_MEM_OBJECT_IMAGE3D;
    const bool has_rows =
        is_3d || type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    CHECK(size_info(image, CL_IMAGE_ELEMENT_SIZE) == 4);
    CHECK(size_info(image, CL_IMAGE_WIDTH) == 5);
    CHECK(size_info(image, CL_IMAGE_HEIGHT) == (has_rows ? 3 : 0));
    CHECK(size_info(image, CL_IMAGE_DEPTH) == (is_3d ? 2 : 0));
    CHECK(size_info(image, CL_IMAGE_ARRAY_SIZE) == (is_array ? 2 : 0));
    CHECK(size_info(image, CL_IMAGE_ROW_PITCH) == 20);
    CHECK(size_info(image, CL_IMAGE_SLICE_PITCH) ==
          (is_3d || is_array ? (has_rows ? 60u : 20u) : 0));
    CHECK(image_info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS) == 0);
    CHECK(image_info<cl_uint>(image, CL_IMAGE_NUM_SAMPLES) == 0);
    CHECK(image_info<cl_image_format>(image, CL_IMAGE_FORMAT).image_channel_order == CL_RGBA);
    CHECK(memory_info<cl_mem_object_type>(image, CL_MEM_TYPE) == type);
    CHECK(memory_info<std::size_t>(image, CL_MEM_SIZE) == texels_of(region) * 4);
    CHECK(memory_info<cl_context>(image, CL_MEM_CONTEXT) == context);
    CHECK(memory_info<cl_uint>(image, CL_MEM_REFERENCE_COUNT) == 1);
    const bool is_view = type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    CHECK(image_info<cl_mem>(image, CL_IMAGE_BUFFER) == (is_view ? cl_mem{store} : nullptr));
    CHECK(memory_info<cl_mem>(image, CL_MEM_ASSOCIATED_MEMOBJECT) ==
          (is_view ? cl_mem{store} : nullptr));
  }
}

TEST_CASE_FIXTURE(Images, "images: references, and callbacks when they go") {
  Memory image = make(CL_MEM_OBJECT_IMAGE3D);
  called.clear();
  int first = 1, second = 2;
  note_end(image, first);
  note_end(image, second);
  CHECK(clRetainMemObject(image) == CL_SUCCESS);
  CHECK(memory_info<cl_uint>(image, CL_MEM_REFERENCE_COUNT) == 2);
  CHECK(clReleaseMemObject(image) == CL_SUCCESS);
  CHECK(called.empty());
  image.drop();
  CHECK(called == std::vector<int>{2, 1});
}

TEST_CASE_FIXTURE(Images, "images: the formats that there must be") {
  constexpr cl_channel_type kAll[] = {CL_UNORM_INT8,     CL_UNORM_INT16,   CL_SNORM_INT8,
                                      CL_SNORM_INT16,    CL_SIGNED_INT8,   CL_SIGNED_INT16,
                                      CL_SIGNED_INT32,   CL_UNSIGNED_INT8, CL_UNSIGNED_INT16,
                                      CL_UNSIGNED_INT32, CL_HALF_FLOAT,    CL_FLOAT};
  for (const cl_mem_object_type type : kTypes)
    for (const cl_mem_flags flags :
         {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE}) {
      const std::set<FormatPair> found = formats_of(context, flags, type);
      for (const cl_channel_order order : {CL_R, CL_RG, CL_RGBA})
        for (const cl_channel_type channel : kAll) CHECK(found.contains({order, channel}));
      CHECK(found.contains({CL_BGRA, CL_UNORM_INT8}));
      const bool is_flat = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
      for (const cl_channel_type channel : {CL_UNORM_INT16, CL_FLOAT})
        CHECK(found.contains({CL_DEPTH, channel}) == is_flat);
      CHECK(found.contains({CL_sRGBA, CL_UNORM_INT8}) == (type != CL_MEM_OBJECT_IMAGE1D_BUFFER));
      CHECK(!found.contains({CL_DEPTH_STENCIL, CL_UNORM_INT24}));
      for (const FormatPair& left_out :
           {FormatPair{CL_Rx, CL_UNORM_INT8}, {CL_RGBx, CL_UNORM_SHORT_565}})
        CHECK(!found.contains(left_out));
    }
}

TEST_CASE_FIXTURE(Images, "images: every listed format makes images, and no other") {
  for (const cl_mem_object_type type : kTypes) {
    const std::set<FormatPair> found = formats_of(context, 0, type);
    cl_image_desc desc = descriptor(type);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = store;
    for (cl_channel_order order = CL_R; order <= CL_ABGR; ++order)
      for (cl_channel_type channel = CL_SNORM_INT8; channel <= CL_UNORM_INT_101010_2; ++channel) {
        const cl_image_format format{order, channel};
        if (!found.contains({order, channel})) {
          const cl_int code = refusal(desc, format);
          CHECK((code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR ||
                 code == CL_IMAGE_FORMAT_NOT_SUPPORTED));
          continue;
        }
        const Memory image = make(desc, format);
        const std::size_t bytes = size_info(image, CL_IMAGE_ELEMENT_SIZE);
        CHECK((bytes & (bytes - 1)) == 0);
        CHECK(memory_info<std::size_t>(image, CL_MEM_SIZE) == texels_of(region_of(type)) * bytes);
      }
  }
}

TEST_CASE_FIXTURE(Images, "images: descriptors that are none") {
  std::vector<std::byte> host(1 << 16);
  const auto wrong = [&](auto change, cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D,
                         cl_mem_flags flags = 0) {
    cl_image_desc desc = descriptor(type);
    change(desc);
    return refusal(desc, kRgba8, flags, flags == 0 ? nullptr : host.data());
  };
  const auto nothing = [](cl_image_desc&) {};
  constexpr cl_int kNone = CL_INVALID_IMAGE_DESCRIPTOR;
  CHECK(wrong(nothing, CL_MEM_OBJECT_BUFFER) == kNone);
  CHECK(wrong(nothing, CL_MEM_OBJECT_IMAGE1D_BUFFER) == kNone);
  CHECK(wrong([](auto& d) { d.num_samples = 4; }) == kNone);
  CHECK(wrong([](auto& d) { d.image_row_pitch = 20; }) == kNone);
  CHECK(wrong([&](auto& d) { d.mem_object = store; }, CL_MEM_OBJECT_IMAGE3D) == kNone);
  CHECK(wrong([](auto& d) { d.image_array_size = 0; }, CL_MEM_OBJECT_IMAGE1D_ARRAY) == kNone);
  CHECK(wrong([](auto& d) { d.image_depth = 0; }, CL_MEM_OBJECT_IMAGE3D) == kNone);
  CHECK(wrong([](auto& d) { d.image_depth = SIZE_MAX; }, CL_MEM_OBJECT_IMAGE3D) ==
        CL_INVALID_IMAGE_SIZE);
  CHECK(wrong([](auto& d) { d.image_width = SIZE_MAX; }) == CL_INVALID_IMAGE_SIZE);
  for (const std::size_t pitch : {19, 22})
    CHECK(wrong([&](auto& d) { d.image_row_pitch = pitch; }, CL_MEM_OBJECT_IMAGE2D,
                CL_MEM_COPY_HOST_PTR) == kNone);
  for (const std::size_t pitch : {59, 70})
    CHECK(wrong([&](auto& d) { d.image_slice_pitch = pitch; }, CL_MEM_OBJECT_IMAGE3D,
                CL_MEM_COPY_HOST_PTR) == kNone);
}

TEST_CASE_FIXTURE(Images, "images: made of the host's memory, with gaps") {
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE3D);
  desc.image_row_pitch = 32;
  desc.image_slice_pitch = 128;
  for (const cl_mem_flags flag : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}) {
    std::vector<cl_uint> host = counting(64);
    const Memory image = make(desc, kRgba8, flag, host.data());
    CHECK(size_info(image, CL_IMAGE_ROW_PITCH) == 32);
    CHECK(size_info(image, CL_IMAGE_SLICE_PITCH) == 128);
    const bool uses = flag == CL_MEM_USE_HOST_PTR;
    CHECK(memory_info<void*>(image, CL_MEM_HOST_PTR) == (uses ? host.data() : nullptr));
    const std::vector<cl_uint> found = texels(image, {5, 3, 2});
    for (cl_uint z = 0; z < 2; ++z)
      for (cl_uint y = 0; y < 3; ++y)
        for (cl_uint x = 0; x < 5; ++x) CHECK(found[(z * 3 + y) * 5 + x] == 1 + z * 32 + y * 8 + x);
    const cl_uint one = 77;
    CHECK(write(image, {1, 1, 1}, {1, 1, 1}, &one) == CL_SUCCESS);
    CHECK(host[32 + 8 + 1] == (uses ? 77 : 42));
  }
}

TEST_CASE_FIXTURE(Images, "images: a plane of a buffer shares its bytes") {
  cl_image_desc desc = descriptor();
  desc.mem_object = store;
  desc.image_row_pitch = 24;
  const Memory image = make(desc);
  CHECK(size_info(image, CL_IMAGE_ROW_PITCH) == 24);
  CHECK(image_info<cl_mem>(image, CL_IMAGE_BUFFER) == store);
  const std::vector<cl_uint> values = number(image, {5, 3, 1});
  std::vector<cl_uint> bytes = Host::read<cl_uint>(store, 18);
  for (std::size_t i = 0; i < 15; ++i) CHECK(bytes[i / 5 * 6 + i % 5] == values[i]);
  // What the buffer is given, the image has.
  const cl_uint one = 77;
  CHECK(issue(clEnqueueWriteBuffer, queue, store, CL_TRUE, 28, sizeof one, &one) == CL_SUCCESS);
  CHECK(texels(image, {1, 1, 1}, Sizes{1, 1, 0})[0] == one);

  desc.image_row_pitch = 22;
  CHECK(refusal(desc) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.image_row_pitch = 2000;
  CHECK(refusal(desc) == CL_INVALID_IMAGE_DESCRIPTOR);
  desc.image_row_pitch = 0;
  CHECK(refusal(desc, kRgba8, CL_MEM_USE_HOST_PTR) == CL_INVALID_VALUE);
  const Memory readable = buffer(4096, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
  desc.mem_object = readable;
  CHECK(refusal(desc, kRgba8, CL_MEM_READ_WRITE) == CL_INVALID_VALUE);
  CHECK(refusal(desc, kRgba8, CL_MEM_HOST_READ_ONLY) == CL_INVALID_VALUE);
  const Memory inherits = make(desc);
  CHECK(memory_info<cl_mem_flags>(inherits, CL_MEM_FLAGS) ==
        (CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
  CHECK(read(inherits, kZero, {1, 1, 1}, bytes.data()) == CL_INVALID_OPERATION);
}

TEST_CASE_FIXTURE(Images, "images: what one is made of lives as long as it does") {
  called.clear();
  int of_store = 1, of_plane = 2, of_view = 3;
  Memory small = buffer(64);
  Memory plane = make(descriptor(CL_MEM_OBJECT_IMAGE2D, small), {CL_RGBA, CL_UNORM_INT8});
  Memory view = make(descriptor(CL_MEM_OBJECT_IMAGE2D, plane), {CL_sRGBA, CL_UNORM_INT8});
  note_end(small, of_store);
  note_end(plane, of_plane);
  note_end(view, of_view);
  small.drop();
  plane.drop();
  CHECK(called.empty());
  const std::vector<cl_uint> values = number(view, {5, 3, 1});
  CHECK(texels(view, {5, 3, 1}) == values);
  view.drop();
  CHECK(called == std::vector<int>{3, 2, 1});
}

TEST_CASE_FIXTURE(Images, "images: another order of a plane's channels") {
  const Memory linear = make(descriptor(), {CL_RGBA, CL_UNORM_INT8});
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D, linear);
  const Memory view = make(desc, {CL_sRGBA, CL_UNORM_INT8});
  CHECK(memory_info<cl_mem>(view, CL_MEM_ASSOCIATED_MEMOBJECT) == linear);
  CHECK(image_info<cl_mem>(view, CL_IMAGE_BUFFER) == nullptr);
  const std::vector<cl_uint> values = number(linear, {5, 3, 1});
  CHECK(texels(view, {5, 3, 1}) == values);
  CHECK(refusal(desc, {CL_BGRA, CL_UNORM_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(refusal(desc, {CL_sRGBA, CL_FLOAT}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.image_height = 2;
  CHECK(refusal(desc, {CL_sRGBA, CL_UNORM_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

TEST_CASE_FIXTURE(Images, "images: what is made of memory has no slices") {
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D}) {
    cl_image_desc desc = descriptor(type);
    desc.mem_object = store;
    desc.image_slice_pitch = 60;
    CHECK(refusal(desc) == CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_slice_pitch = 0;
    desc.image_row_pitch = 20;
    make(desc);
  }
  const Memory plane = make(descriptor(CL_MEM_OBJECT_IMAGE2D), {CL_RGBA, CL_UNORM_INT8});
  cl_image_desc desc = descriptor();
  desc.mem_object = plane;
  desc.image_slice_pitch = 60;
  CHECK(refusal(desc, {CL_sRGBA, CL_UNORM_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

TEST_CASE_FIXTURE(Images, "images: one in shared virtual memory does not lead out of it") {
  cl_image_desc desc = descriptor();
  auto* const shared = static_cast<std::byte*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
  REQUIRE(shared != nullptr);
  make(desc, kRgba8, CL_MEM_USE_HOST_PTR, shared + 4);
  CHECK(refusal(desc, kRgba8, CL_MEM_USE_HOST_PTR, shared + 8) == CL_INVALID_HOST_PTR);
  desc.image_row_pitch = 24;
  CHECK(refusal(desc, kRgba8, CL_MEM_USE_HOST_PTR, shared) == CL_INVALID_HOST_PTR);
  clSVMFree(context, shared);
}

TEST_CASE_FIXTURE(Images, "images: by sizes, solid ones have several slices") {
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE3D);
  desc.image_depth = 1;
  make(desc);
  std::vector<std::byte> host(256);
  const Memory gapped =
      clCreateImage3D(context, CL_MEM_COPY_HOST_PTR, &kRgba8, 5, 3, 2, 24, 96, host.data(), &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(size_info(gapped, CL_IMAGE_SLICE_PITCH) == 96);
}

TEST_CASE_FIXTURE(Images, "images: read, written and filled box by box") {
  for (const cl_mem_object_type type : kTypes) {
    const Memory image = make(type);
    const Sizes region = region_of(type);
    const std::vector<cl_uint> values = number(image, region);
    CHECK(texels(image, region) == values);
    // The last two texels of each row, into rows of 3.
    const bool has_slices = type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE2D &&
                            type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
    const std::size_t rows = region[1] * region[2];
    std::vector<cl_uint> ends(rows * 3, 7);
    const std::size_t row = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : 12;
    const std::size_t slice = !has_slices                           ? 0
                              : type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 12
                                                                    : 12 * region[1];
    CHECK(read(image, {3, 0, 0}, {2, region[1], region[2]}, ends.data(), row, slice) == CL_SUCCESS);
    for (std::size_t r = 0; r < rows; ++r) {
      CHECK(ends[r * 3] == values[r * 5 + 3]);
      CHECK(ends[r * 3 + 1] == values[r * 5 + 4]);
      CHECK(ends[r * 3 + 2] == 7);
    }
    const cl_uint color[4] = {1, 300, 3, 4};
    CHECK(fill(image, color, {1, 0, 0}, {3, region[1], region[2]}) == CL_SUCCESS);
    const std::vector<cl_uint> found = texels(image, region);
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == (i % 5 == 0 || i % 5 == 4 ? values[i] : 0x0403ff01));
  }
}

}  // namespace
}  // namespace transpire::test::images_tests
