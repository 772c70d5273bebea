// Images: creation of new ones, from host memory, from buffers and from other images; queries.
#include "opencl/image.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "opencl/defined.h"
#include "opencl/entry_point.h"
#include "opencl/extensions.h"
#include "opencl/platform.h"
#include "opencl/queue.h"

using namespace transpire::opencl;

namespace transpire::opencl {

bool is_image_type(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
         type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D ||
         type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
}

void check_image(const _cl_command_queue& queue, cl_mem image) {
  check_memory(queue, image);
  check(image->is_image(), CL_INVALID_MEM_OBJECT);
}

bool have_same_texels(const _cl_mem& a, const _cl_mem& b) {
  if (!a.is_image() || !b.is_image()) return false;
  const memory::Image& x = a.texels->layout;
  const memory::Image& y = b.texels->layout;
  return x.texels == y.texels && std::ranges::equal(x.level[0].pitch, y.level[0].pitch);
}

LevelBox box_of(const _cl_mem& image, const std::size_t* origin, const std::size_t* region) {
  check(origin != nullptr && region != nullptr, CL_INVALID_VALUE);
  const memory::Image& layout = image.texels->layout;
  const bool is_mipmap = layout.levels > 1;
  const std::uint32_t behind = memory::coordinates(layout.dim);
  check(!is_mipmap || origin[behind] < layout.levels, CL_INVALID_MIP_LEVEL);
  LevelBox box;
  if (is_mipmap) box.level = static_cast<std::uint32_t>(origin[behind]);
  for (std::size_t k = 0; k < 3; ++k) {
    box.origin[k] = is_mipmap && k == behind ? 0 : origin[k];
    box.size[k] = region[k];
    check(region[k] != 0 && within(box.origin[k], region[k], layout.level[box.level].size[k]),
          CL_INVALID_VALUE);
  }
  return box;
}

namespace {

using memory::ImageDim;

ImageDim dim_of(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
      return ImageDim::k1D;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return ImageDim::k1DArray;
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return ImageDim::k1DBuffer;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return ImageDim::k2DArray;
    case CL_MEM_OBJECT_IMAGE3D:
      return ImageDim::k3D;
    default:
      return ImageDim::k2D;
  }
}

/// The arguments of a call that creates an image.
struct ImageRequest {
  _cl_context& context;
  cl_mem_flags flags;
  const cl_image_format* format;
  const cl_image_desc* descriptor;
  void* host_ptr;
  std::vector<cl_mem_properties> properties{};
};

/// Checks a side of an image: at least one texel, and no more than the device's limit.
void check_side(std::size_t texels, std::size_t most) {
  check(texels != 0, CL_INVALID_IMAGE_DESCRIPTOR);
  check(texels <= most, CL_INVALID_IMAGE_SIZE);
}

void check_sides(const cl_image_desc& d, ImageDim dim) {
  const bool is_3d = dim == ImageDim::k3D;
  const std::size_t side = is_3d ? kMaxImage3DSide : kMaxImage2DSide;
  check_side(d.image_width, dim == ImageDim::k1DBuffer ? kMaxImageBufferTexels : side);
  if (memory::sampled_axes(dim) > 1) check_side(d.image_height, side);
  if (is_3d) check_side(d.image_depth, kMaxImage3DSide);
  if (memory::is_array(dim)) check_side(d.image_array_size, kMaxImageLayers);
}

/// Checks the members of a descriptor that do not depend on the format.
void check_descriptor(const cl_image_desc* d) {
  check(d != nullptr && is_image_type(d->image_type), CL_INVALID_IMAGE_DESCRIPTOR);
  check(d->num_mip_levels == 0 || announces("cl_khr_mipmap_image"), CL_INVALID_IMAGE_DESCRIPTOR);
  check(d->num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR);
  const bool is_view = d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  check(!is_view || d->mem_object != nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  check(d->mem_object == nullptr || is_view || d->image_type == CL_MEM_OBJECT_IMAGE2D,
        CL_INVALID_IMAGE_DESCRIPTOR);
  if (d->mem_object == nullptr) return;
  check(d->mem_object->is_valid() && !d->mem_object->is_pipe(), CL_INVALID_IMAGE_DESCRIPTOR);
  check(!is_view || d->mem_object->is_buffer(), CL_INVALID_IMAGE_DESCRIPTOR);
}

/// Number of mipmap levels; 0 and 1 both make an image without mipmaps.
std::uint32_t levels_of(const cl_image_desc& d) { return std::max(d.num_mip_levels, cl_uint{1}); }

/// Layout of the texels with the descriptor's pitches. Throws `wrong_pitch` for wrong ones.
memory::Image lay_out_image(const cl_image_desc& d, memory::ImageFormat format,
                            cl_int wrong_pitch) {
  memory::ImageShape shape;
  shape.dim = dim_of(d.image_type);
  shape.format = format;
  shape.width = d.image_width;
  shape.height = d.image_height;
  shape.depth = d.image_depth;
  shape.array_size = d.image_array_size;
  // A single row needs no pitch, but a wrong one is an error all the same.
  shape.row_pitch = d.image_row_pitch;
  shape.slice_pitch = d.image_slice_pitch;
  shape.levels = levels_of(d);
  memory::Image image;
  switch (memory::lay_out(shape, image)) {
    case memory::ShapeError::kNone:
      return image;
    case memory::ShapeError::kRowPitch:
    case memory::ShapeError::kSlicePitch:
      throw ApiError{wrong_pitch};
    case memory::ShapeError::kLevels:
      throw ApiError{CL_INVALID_IMAGE_DESCRIPTOR};
    default:
      throw ApiError{CL_INVALID_IMAGE_SIZE};
  }
}

/// The image that kernels get. It has the buffer's bytes.
transpire::Image kernel_image(const memory::Image& layout, const Buffer& buffer) {
  ImageDescription description;
  description.dim = static_cast<transpire::ImageDim>(layout.dim);
  description.channel_order = memory::row_of(layout.format.order).spelling;
  description.channel_type = memory::row_of(layout.format.type).spelling;
  description.width = layout.width();
  description.height = layout.height();
  description.depth = layout.depth();
  description.layers = layout.array_size();
  description.levels = layout.levels;
  description.row_pitch = layout.level[0].row_pitch;
  description.slice_pitch = layout.level[0].slice_pitch;
  auto image = transpire::Image::wrap(description, buffer.bytes(), buffer.name(), buffer.state());
  check(image.ok(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  return std::move(*image);
}

/// Makes the memory object with the bytes of its texels.
cl_mem finish_image(const ImageRequest& request, cl_mem_flags flags, memory::Image layout,
                    Buffer buffer) {
  auto texels = std::make_unique<Texels>();
  layout.texels = buffer.bytes().data();
  texels->format = *request.format;
  texels->descriptor = *request.descriptor;
  texels->layout = layout;
  texels->image = kernel_image(layout, buffer);
  if (environment().enforce_flags) {
    texels->image.set_read_only((flags & CL_MEM_READ_ONLY) != 0);
    texels->image.set_write_only((flags & CL_MEM_WRITE_ONLY) != 0);
  }
  const cl_mem image = new _cl_mem(request.context);
  image->flags = flags;
  image->properties = request.properties;
  image->buffer = std::move(buffer);
  image->texels = std::move(texels);
  return image;
}

cl_mem create_plain_image(const ImageRequest& request) {
  const cl_image_desc& d = *request.descriptor;
  const memory::ImageFormat format = check_format(d.image_type, *request.format);
  check_sides(d, dim_of(d.image_type));
  check_host_pointer(request.flags, request.host_ptr);
  check(levels_of(d) == 1 || request.host_ptr == nullptr, CL_INVALID_HOST_PTR);
  check(request.host_ptr != nullptr || (d.image_row_pitch == 0 && d.image_slice_pitch == 0),
        CL_INVALID_IMAGE_DESCRIPTOR);
  const memory::Image layout = lay_out_image(d, format, CL_INVALID_IMAGE_DESCRIPTOR);
  check(layout.size_bytes <= max_alloc_bytes(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  check_shared_memory(request.context, request.flags, layout.size_bytes, request.host_ptr,
                      CL_INVALID_HOST_PTR);
  const bool uses_host = (request.flags & CL_MEM_USE_HOST_PTR) != 0;
  const std::span<std::byte> host(static_cast<std::byte*>(request.host_ptr), layout.size_bytes);
  Buffer buffer = take_buffer(uses_host ? Buffer::wrap(host) : Buffer::create(layout.size_bytes));
  if ((request.flags & CL_MEM_COPY_HOST_PTR) != 0)
    std::memcpy(buffer.bytes().data(), host.data(), host.size());
  const cl_mem image = finish_image(request, request.flags, layout, std::move(buffer));
  image->host_ptr = uses_host ? request.host_ptr : nullptr;
  if (uses_host) give_up_shared(request.context, request.host_ptr);
  return image;
}

/// Makes an image of the first bytes of a buffer, or of all of another image.
cl_mem finish_view(const ImageRequest& request, cl_mem_flags flags, const memory::Image& layout) {
  _cl_mem& parent = *request.descriptor->mem_object;
  if (parent.is_buffer())
    define(parent, 0, layout.size_bytes);  // bytes that kernels read as texels count as defined
  Buffer bytes = take_buffer(parent.buffer.slice(0, layout.size_bytes));
  const cl_mem image = finish_image(request, flags, layout, std::move(bytes));
  image->host_ptr = parent.host_ptr;
  image->parent = Ref<_cl_mem>(&parent);
  return image;
}

cl_mem create_image_of_buffer(const ImageRequest& request, cl_mem_flags flags) {
  const cl_image_desc& d = *request.descriptor;
  const _cl_mem& buffer = *d.mem_object;
  const memory::ImageFormat format = check_format(d.image_type, *request.format);
  check_sides(d, dim_of(d.image_type));
  check(d.image_slice_pitch == 0 && levels_of(d) == 1, CL_INVALID_IMAGE_DESCRIPTOR);
  const memory::Image layout = lay_out_image(d, format, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  check(layout.size_bytes <= buffer.bytes().size(), CL_INVALID_IMAGE_DESCRIPTOR);
  const auto address = reinterpret_cast<std::uintptr_t>(buffer.host_ptr);
  check(address % (kImageBaseAlignment * layout.element_bytes) == 0,
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  return finish_view(request, flags, layout);
}

/// True if an image of order `of` may be viewed as one of order `view` ("Image Descriptor":
/// supported orders).
bool is_view_of(cl_channel_order view, cl_channel_order of) {
  constexpr cl_channel_order kPairs[][2] = {
      {CL_sBGRA, CL_BGRA}, {CL_sRGBA, CL_RGBA}, {CL_sRGB, CL_RGB}, {CL_sRGBx, CL_RGBx}};
  if (view == CL_DEPTH) return of == CL_R;
  return std::any_of(std::begin(kPairs), std::end(kPairs), [&](const auto& pair) {
    return (pair[0] == view && pair[1] == of) || (pair[0] == of && pair[1] == view);
  });
}

cl_mem create_image_of_image(const ImageRequest& request, cl_mem_flags flags) {
  const cl_image_desc& d = *request.descriptor;
  const Texels& of = *d.mem_object->texels;
  const memory::ImageLevel& level = of.layout.level[0];
  check(of.layout.dim == ImageDim::k2D && d.image_width == of.layout.width() &&
            d.image_height == of.layout.height() &&
            (d.image_row_pitch == 0 ? level.pitch[0] * level.size[0] : d.image_row_pitch) ==
                level.row_pitch &&
            d.image_slice_pitch == 0 && levels_of(d) == of.layout.levels,
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  check(request.format->image_channel_data_type == of.format.image_channel_data_type &&
            is_view_of(request.format->image_channel_order, of.format.image_channel_order),
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  const memory::ImageFormat format = check_format(d.image_type, *request.format);
  return finish_view(request, flags, lay_out_image(d, format, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR));
}

cl_mem create_image(const ImageRequest& request) {
  check_flags(request.flags);
  check(request.format != nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  check_descriptor(request.descriptor);
  const cl_mem of = request.descriptor->mem_object;
  if (of == nullptr) return create_plain_image(request);
  check(of->context.get() == &request.context, CL_INVALID_CONTEXT);
  const cl_mem_flags flags = derived_flags(of->flags, request.flags);
  check(request.host_ptr == nullptr, CL_INVALID_HOST_PTR);
  return of->is_image() ? create_image_of_image(request, flags)
                        : create_image_of_buffer(request, flags);
}

/// For the calls that take sizes and pitches as arguments: wrong pitches count as wrong sizes, and
/// a 3D image has several slices (OpenCL API 1.1, "Image Objects").
cl_mem create_sized_image(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                          const cl_image_desc& descriptor, void* host_ptr) {
  check_object(context, CL_INVALID_CONTEXT);
  check_flags(flags);
  check(descriptor.image_type != CL_MEM_OBJECT_IMAGE3D || descriptor.image_depth > 1,
        CL_INVALID_IMAGE_SIZE);
  try {
    return create_image({*context, flags, format, &descriptor, host_ptr});
  } catch (const ApiError& error) {
    throw ApiError{error.code == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error.code};
  }
}

bool tell_sides(const memory::Image& layout, cl_image_info name, const Answer& answer) {
  switch (name) {
    case CL_IMAGE_ROW_PITCH:
      return answer.give<std::size_t>(layout.level[0].row_pitch), true;
    case CL_IMAGE_SLICE_PITCH:
      return answer.give<std::size_t>(memory::has_slices(layout.dim) ? layout.level[0].slice_pitch
                                                                     : 0),
             true;
    case CL_IMAGE_WIDTH:
      return answer.give<std::size_t>(layout.width()), true;
    case CL_IMAGE_HEIGHT:
      return answer.give<std::size_t>(memory::sampled_axes(layout.dim) > 1 ? layout.height() : 0),
             true;
    case CL_IMAGE_DEPTH:
      return answer.give<std::size_t>(layout.dim == ImageDim::k3D ? layout.depth() : 0), true;
    case CL_IMAGE_ARRAY_SIZE:
      return answer.give<std::size_t>(memory::is_array(layout.dim) ? layout.array_size() : 0), true;
  }
  return false;
}

void tell_image(const _cl_mem& image, cl_image_info name, const Answer& answer) {
  const Texels& texels = *image.texels;
  if (tell_sides(texels.layout, name, answer)) return;
  switch (name) {
    case CL_IMAGE_FORMAT:
      return answer.give(texels.format);
    case CL_IMAGE_ELEMENT_SIZE:
      return answer.give<std::size_t>(texels.layout.element_bytes);
    case CL_IMAGE_BUFFER: {
      const bool is_buffer = image.parent && !image.parent->is_image();
      return answer.give<cl_mem>(is_buffer ? image.parent.get() : nullptr);
    }
    case CL_IMAGE_NUM_MIP_LEVELS:
      return answer.give(texels.descriptor.num_mip_levels);
    case CL_IMAGE_NUM_SAMPLES:
      return answer.give(texels.descriptor.num_samples);
    default:
      throw ApiError{CL_INVALID_VALUE};
  }
}

}  // namespace
}  // namespace transpire::opencl

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format* format, const cl_image_desc* descriptor,
                                 void* host_ptr, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    return create_image({*context, flags, format, descriptor, host_ptr});
  });
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                               const cl_mem_properties* properties,
                                               cl_mem_flags flags, const cl_image_format* format,
                                               const cl_image_desc* descriptor, void* host_ptr,
                                               cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    check(properties == nullptr || *properties == 0, CL_INVALID_PROPERTY);  // no property is known
    return create_image({*context, flags, format, descriptor, host_ptr, property_list(properties)});
  });
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format* format, size_t width, size_t height,
                                   size_t row_pitch, void* host_ptr, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    cl_image_desc descriptor{};
    descriptor.image_type = CL_MEM_OBJECT_IMAGE2D;
    descriptor.image_width = width;
    descriptor.image_height = height;
    descriptor.image_row_pitch = row_pitch;
    return create_sized_image(context, flags, format, descriptor, host_ptr);
  });
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format* format, size_t width, size_t height,
                                   size_t depth, size_t row_pitch, size_t slice_pitch,
                                   void* host_ptr, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    cl_image_desc descriptor{};
    descriptor.image_type = CL_MEM_OBJECT_IMAGE3D;
    descriptor.image_width = width;
    descriptor.image_height = height;
    descriptor.image_depth = depth;
    descriptor.image_row_pitch = row_pitch;
    descriptor.image_slice_pitch = slice_pitch;
    return create_sized_image(context, flags, format, descriptor, host_ptr);
  });
}

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t size, void* value,
                                  size_t* size_ret) {
  return guarded([&] {
    check_object(image, CL_INVALID_MEM_OBJECT);
    check(image->is_image(), CL_INVALID_MEM_OBJECT);
    tell_image(*image, param_name, {size, value, size_ret});
  });
}
