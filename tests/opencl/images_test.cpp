// Images on the host's side: what they may be made of, what they say of themselves, and the box commands.
#include "tests/opencl/images.h"

#include <set>
#include <utility>

namespace transpire::test {
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

}  // namespace

TEST_CASE_FIXTURE(Images, "images: what a new one says of itself") {
  for (const cl_mem_object_type type : kTypes) {
    const cl_mem image = make(type);
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
    CHECK(info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS) == 0);
    CHECK(info<cl_uint>(image, CL_IMAGE_NUM_SAMPLES) == 0);
    CHECK(info<cl_image_format>(image, CL_IMAGE_FORMAT).image_channel_order == CL_RGBA);
    CHECK(memory_info<cl_mem_object_type>(image, CL_MEM_TYPE) == type);
    CHECK(memory_info<std::size_t>(image, CL_MEM_SIZE) == texels_of(region) * 4);
    CHECK(memory_info<cl_context>(image, CL_MEM_CONTEXT) == context);
    CHECK(memory_info<cl_uint>(image, CL_MEM_REFERENCE_COUNT) == 1);
    const bool is_view = type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    CHECK(info<cl_mem>(image, CL_IMAGE_BUFFER) == (is_view ? buffer : nullptr));
    CHECK(memory_info<cl_mem>(image, CL_MEM_ASSOCIATED_MEMOBJECT) == (is_view ? buffer : nullptr));
    clReleaseMemObject(image);
  }
}

TEST_CASE_FIXTURE(Images, "images: references, and callbacks when they go") {
  const cl_mem image = make(CL_MEM_OBJECT_IMAGE3D);
  static std::vector<int> called;
  called.clear();
  int first = 1, second = 2;
  const auto note = [](cl_mem, void* data) { called.push_back(*static_cast<int*>(data)); };
  CHECK(clSetMemObjectDestructorCallback(image, note, &first) == CL_SUCCESS);
  CHECK(clSetMemObjectDestructorCallback(image, note, &second) == CL_SUCCESS);
  CHECK(clRetainMemObject(image) == CL_SUCCESS);
  CHECK(memory_info<cl_uint>(image, CL_MEM_REFERENCE_COUNT) == 2);
  CHECK(clReleaseMemObject(image) == CL_SUCCESS);
  CHECK(called.empty());
  CHECK(clReleaseMemObject(image) == CL_SUCCESS);
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
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = buffer;
    for (cl_channel_order order = CL_R; order <= CL_ABGR; ++order)
      for (cl_channel_type channel = CL_SNORM_INT8; channel <= CL_UNORM_INT_101010_2; ++channel) {
        const cl_image_format format{order, channel};
        if (!found.contains({order, channel})) {
          const cl_int code = refusal(desc, format);
          CHECK((code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR ||
                 code == CL_IMAGE_FORMAT_NOT_SUPPORTED));
          continue;
        }
        const cl_mem image = make(desc, format);
        const std::size_t bytes = size_info(image, CL_IMAGE_ELEMENT_SIZE);
        CHECK((bytes & (bytes - 1)) == 0);
        CHECK(memory_info<std::size_t>(image, CL_MEM_SIZE) == texels_of(region_of(type)) * bytes);
        clReleaseMemObject(image);
      }
  }
}

TEST_CASE_FIXTURE(Images, "images: descriptors that are none") {
  std::vector<std::byte> host(1 << 16);
  const auto wrong = [&](auto change, cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D,
                         cl_mem_flags flags = 0) {
    cl_image_desc desc = descriptor(type);
    change(desc);
    return refusal(desc, kBytes, flags, flags == 0 ? nullptr : host.data());
  };
  const auto nothing = [](cl_image_desc&) {};
  CHECK(wrong(nothing, CL_MEM_OBJECT_BUFFER) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong(nothing, CL_MEM_OBJECT_IMAGE1D_BUFFER) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([](auto& d) { d.num_samples = 4; }) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([](auto& d) { d.image_row_pitch = 20; }) == CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([&](auto& d) { d.mem_object = buffer; }, CL_MEM_OBJECT_IMAGE3D) ==
        CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([](auto& d) { d.image_array_size = 0; }, CL_MEM_OBJECT_IMAGE1D_ARRAY) ==
        CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([](auto& d) { d.image_depth = 0; }, CL_MEM_OBJECT_IMAGE3D) ==
        CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK(wrong([](auto& d) { d.image_depth = SIZE_MAX; }, CL_MEM_OBJECT_IMAGE3D) ==
        CL_INVALID_IMAGE_SIZE);
  CHECK(wrong([](auto& d) { d.image_width = SIZE_MAX; }) == CL_INVALID_IMAGE_SIZE);
  for (const std::size_t pitch : {19, 22})
    CHECK(wrong([&](auto& d) { d.image_row_pitch = pitch; }, CL_MEM_OBJECT_IMAGE2D,
                CL_MEM_COPY_HOST_PTR) == CL_INVALID_IMAGE_DESCRIPTOR);
  for (const std::size_t pitch : {59, 70})
    CHECK(wrong([&](auto& d) { d.image_slice_pitch = pitch; }, CL_MEM_OBJECT_IMAGE3D,
                CL_MEM_COPY_HOST_PTR) == CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_CASE_FIXTURE(Images, "images: made of the host's memory, with gaps") {
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE3D);
  desc.image_row_pitch = 32;
  desc.image_slice_pitch = 128;
  for (const cl_mem_flags flag : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}) {
    std::vector<cl_uint> host = counting(64);
    const cl_mem image = make(desc, kBytes, flag, host.data());
    CHECK(size_info(image, CL_IMAGE_ROW_PITCH) == 32);
    CHECK(size_info(image, CL_IMAGE_SLICE_PITCH) == 128);
    const bool uses = flag == CL_MEM_USE_HOST_PTR;
    CHECK(memory_info<void*>(image, CL_MEM_HOST_PTR) == (uses ? host.data() : nullptr));
    std::vector<cl_uint> found(30);
    CHECK(read(image, kZero, {5, 3, 2}, found.data()) == CL_SUCCESS);
    for (cl_uint z = 0; z < 2; ++z)
      for (cl_uint y = 0; y < 3; ++y)
        for (cl_uint x = 0; x < 5; ++x) CHECK(found[(z * 3 + y) * 5 + x] == 1 + z * 32 + y * 8 + x);
    const cl_uint one = 77;
    CHECK(write(image, {1, 1, 1}, {1, 1, 1}, &one) == CL_SUCCESS);
    CHECK(host[32 + 8 + 1] == (uses ? 77 : 42));
    clReleaseMemObject(image);
  }
}

TEST_CASE_FIXTURE(Images, "images: a plane of a buffer shares its bytes") {
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  desc.mem_object = buffer;
  desc.image_row_pitch = 24;
  const cl_mem image = make(desc);
  CHECK(size_info(image, CL_IMAGE_ROW_PITCH) == 24);
  CHECK(info<cl_mem>(image, CL_IMAGE_BUFFER) == buffer);
  const std::vector<cl_uint> values = counting(15);
  CHECK(write(image, kZero, {5, 3, 1}, values.data()) == CL_SUCCESS);
  std::vector<cl_uint> bytes(18);
  CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 72, bytes.data(), 0, nullptr, nullptr) ==
        CL_SUCCESS);
  for (std::size_t i = 0; i < 15; ++i) CHECK(bytes[i / 5 * 6 + i % 5] == values[i]);
  // What the buffer is given, the image has.
  const cl_uint one = 77;
  CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 28, sizeof one, &one, 0, nullptr, nullptr) ==
        CL_SUCCESS);
  cl_uint second = 0;
  CHECK(read(image, {1, 1, 0}, {1, 1, 1}, &second) == CL_SUCCESS);
  CHECK(second == one);

  desc.image_row_pitch = 22;
  CHECK(refusal(desc) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.image_row_pitch = 2000;
  CHECK(refusal(desc) == CL_INVALID_IMAGE_DESCRIPTOR);
  desc.image_row_pitch = 0;
  CHECK(refusal(desc, kBytes, CL_MEM_USE_HOST_PTR) == CL_INVALID_VALUE);
  const cl_mem readable =
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 4096, nullptr, nullptr);
  desc.mem_object = readable;
  CHECK(refusal(desc, kBytes, CL_MEM_READ_WRITE) == CL_INVALID_VALUE);
  CHECK(refusal(desc, kBytes, CL_MEM_HOST_READ_ONLY) == CL_INVALID_VALUE);
  const cl_mem inherits = make(desc);
  CHECK(memory_info<cl_mem_flags>(inherits, CL_MEM_FLAGS) ==
        (CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
  CHECK(read(inherits, kZero, {1, 1, 1}, bytes.data()) == CL_INVALID_OPERATION);
  for (const cl_mem object : {readable, inherits, image}) clReleaseMemObject(object);
}

TEST_CASE_FIXTURE(Images, "images: what one is made of lives as long as it does") {
  static std::vector<int> called;
  called.clear();
  const auto note = [](cl_mem, void* data) { called.push_back(*static_cast<int*>(data)); };
  int of_store = 1, of_plane = 2, of_view = 3;
  const cl_mem store = clCreateBuffer(context, 0, 64, nullptr, nullptr);
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  desc.mem_object = store;
  const cl_mem plane = make(desc, {CL_RGBA, CL_UNORM_INT8});
  desc.mem_object = plane;
  const cl_mem view = make(desc, {CL_sRGBA, CL_UNORM_INT8});
  CHECK(clSetMemObjectDestructorCallback(store, note, &of_store) == CL_SUCCESS);
  CHECK(clSetMemObjectDestructorCallback(plane, note, &of_plane) == CL_SUCCESS);
  CHECK(clSetMemObjectDestructorCallback(view, note, &of_view) == CL_SUCCESS);
  CHECK(clReleaseMemObject(store) == CL_SUCCESS);
  CHECK(clReleaseMemObject(plane) == CL_SUCCESS);
  CHECK(called.empty());
  const std::vector<cl_uint> values = counting(15);
  CHECK(write(view, kZero, {5, 3, 1}, values.data()) == CL_SUCCESS);
  std::vector<cl_uint> found(15);
  CHECK(read(view, kZero, {5, 3, 1}, found.data()) == CL_SUCCESS);
  CHECK(found == values);
  CHECK(clReleaseMemObject(view) == CL_SUCCESS);
  CHECK(called == std::vector<int>{3, 2, 1});
}

TEST_CASE_FIXTURE(Images, "images: another order of a plane's channels") {
  const cl_mem linear = make(descriptor(CL_MEM_OBJECT_IMAGE2D), {CL_RGBA, CL_UNORM_INT8});
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  desc.mem_object = linear;
  const cl_mem view = make(desc, {CL_sRGBA, CL_UNORM_INT8});
  CHECK(memory_info<cl_mem>(view, CL_MEM_ASSOCIATED_MEMOBJECT) == linear);
  CHECK(info<cl_mem>(view, CL_IMAGE_BUFFER) == nullptr);
  const std::vector<cl_uint> values = counting(15);
  CHECK(write(linear, kZero, {5, 3, 1}, values.data()) == CL_SUCCESS);
  std::vector<cl_uint> found(15);
  CHECK(read(view, kZero, {5, 3, 1}, found.data()) == CL_SUCCESS);
  CHECK(found == values);
  CHECK(refusal(desc, {CL_BGRA, CL_UNORM_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK(refusal(desc, {CL_sRGBA, CL_FLOAT}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.image_height = 2;
  CHECK(refusal(desc, {CL_sRGBA, CL_UNORM_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  for (const cl_mem object : {linear, view}) clReleaseMemObject(object);
}

TEST_CASE_FIXTURE(Images, "images: what is made of memory has no slices") {
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D}) {
    cl_image_desc desc = descriptor(type);
    desc.mem_object = buffer;
    desc.image_slice_pitch = 60;
    CHECK(refusal(desc) == CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_slice_pitch = 0;
    desc.image_row_pitch = 20;
    clReleaseMemObject(make(desc));
  }
  const cl_mem plane = make(descriptor(CL_MEM_OBJECT_IMAGE2D), {CL_RGBA, CL_UNORM_INT8});
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  desc.mem_object = plane;
  desc.image_slice_pitch = 60;
  CHECK(refusal(desc, {CL_sRGBA, CL_UNORM_INT8}) == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  clReleaseMemObject(plane);
}

TEST_CASE_FIXTURE(Images, "images: one in shared virtual memory does not lead out of it") {
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE2D);
  auto* const shared = static_cast<std::byte*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
  REQUIRE(shared != nullptr);
  clReleaseMemObject(make(desc, kBytes, CL_MEM_USE_HOST_PTR, shared + 4));
  CHECK(refusal(desc, kBytes, CL_MEM_USE_HOST_PTR, shared + 8) == CL_INVALID_HOST_PTR);
  desc.image_row_pitch = 24;
  CHECK(refusal(desc, kBytes, CL_MEM_USE_HOST_PTR, shared) == CL_INVALID_HOST_PTR);
  clSVMFree(context, shared);
}

TEST_CASE_FIXTURE(Images, "images: by sizes, solid ones have several slices") {
  cl_int code = 0;
  CHECK(clCreateImage3D(context, 0, &kBytes, 5, 3, 1, 0, 0, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_IMAGE_SIZE);
  cl_image_desc desc = descriptor(CL_MEM_OBJECT_IMAGE3D);
  desc.image_depth = 1;
  clReleaseMemObject(make(desc));
  std::vector<std::byte> host(256);
  const cl_mem gapped =
      clCreateImage3D(context, CL_MEM_COPY_HOST_PTR, &kBytes, 5, 3, 2, 24, 96, host.data(), &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(size_info(gapped, CL_IMAGE_SLICE_PITCH) == 96);
  clReleaseMemObject(gapped);
}

TEST_CASE_FIXTURE(Images, "images: read, written and filled box by box") {
  for (const cl_mem_object_type type : kTypes) {
    const cl_mem image = make(type);
    const Sizes region = region_of(type);
    std::vector<cl_uint> values = counting(texels_of(region));
    CHECK(write(image, kZero, region, values.data()) == CL_SUCCESS);
    std::vector<cl_uint> found(values.size());
    CHECK(read(image, kZero, region, found.data()) == CL_SUCCESS);
    CHECK(found == values);
    // The last two texels of each row, into rows of 3.
    const bool has_slices = type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE2D &&
                            type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
    const std::size_t rows = region[1] * region[2];
    std::vector<cl_uint> ends(rows * 3, 7);
    const std::size_t row_pitch = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : 12;
    const std::size_t slice_pitch = !has_slices                           ? 0
                                    : type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 12
                                                                          : 12 * region[1];
    CHECK(read(image, {3, 0, 0}, {2, region[1], region[2]}, ends.data(), row_pitch, slice_pitch) ==
          CL_SUCCESS);
    for (std::size_t row = 0; row < rows; ++row) {
      CHECK(ends[row * 3] == values[row * 5 + 3]);
      CHECK(ends[row * 3 + 1] == values[row * 5 + 4]);
      CHECK(ends[row * 3 + 2] == 7);
    }
    const cl_uint color[4] = {1, 300, 3, 4};
    const Sizes second{1, 0, 0}, box{3, region[1], region[2]};
    CHECK(clEnqueueFillImage(queue, image, color, second.data(), box.data(), 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(read(image, kZero, region, found.data()) == CL_SUCCESS);
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == (i % 5 == 0 || i % 5 == 4 ? values[i] : 0x0403ff01));
    clReleaseMemObject(image);
  }
}

}  // namespace transpire::test
