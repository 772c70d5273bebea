// The C interface: images and samplers.
#include <fmt/format.h>

#include <sstream>

#include "c_api/c_api.h"

struct transpire_image {
  transpire::Image image;
};

namespace transpire::c_api {
namespace {

template <class T>
T or_one(T number) {
  return number == 0 ? 1 : number;
}

Result<ImageDescription> description_of(const transpire_image_description& given) {
  TRANSPIRE_TRY(const transpire_image_description known, known_struct(given, sizeof given));
  ImageDescription description;
  if (known.kind != nullptr) {
    const auto dim = image_dim_named(known.kind);
    if (!dim)
      return make_diagnostic(Rule::kC0042,
                             fmt::format("there is no kind of image '{}'", known.kind));
    description.dim = *dim;
  }
  if (known.channel_order != nullptr) description.channel_order = known.channel_order;
  if (known.channel_type != nullptr) description.channel_type = known.channel_type;
  description.width = or_one(known.width);
  description.height = or_one(known.height);
  description.depth = or_one(known.depth);
  description.layers = or_one(known.layers);
  description.row_pitch = known.row_pitch;
  description.slice_pitch = known.slice_pitch;
  description.levels = or_one(known.levels);
  description.samples = or_one(known.samples);
  return description;
}

}  // namespace
}  // namespace transpire::c_api

using namespace transpire;
using c_api::guarded;
using c_api::text_or_empty;

transpire_status transpire_image_create(const transpire_image_description* description,
                                        const char* name, transpire_image** image,
                                        transpire_error** error) {
  c_api::clear(image);
  return guarded(__func__, error, {{"description", description}, {"image", image}},
                 [&]() -> Status {
                   TRANSPIRE_TRY(const ImageDescription made, c_api::description_of(*description));
                   TRANSPIRE_TRY(Image created, Image::create(made, text_or_empty(name)));
                   *image = new transpire_image{std::move(created)};
                   return Unit{};
                 });
}

void transpire_image_release(transpire_image* image) { delete image; }

transpire_status transpire_image_get_bytes(const transpire_image* image, void** bytes,
                                           uint64_t* size_bytes, transpire_error** error) {
  return guarded(__func__, error, {{"image", image}, {"bytes", bytes}}, [&]() -> Status {
    const std::span<std::byte> all = image->image.bytes();
    *bytes = all.data();
    if (size_bytes != nullptr) *size_bytes = all.size();
    return Unit{};
  });
}

transpire_status transpire_image_write(const transpire_image* image, const void* bytes,
                                       uint64_t size_bytes, uint64_t row_pitch,
                                       uint64_t slice_pitch, transpire_error** error) {
  return guarded(__func__, error, {{"image", image}, {"bytes", bytes}}, [&]() -> Status {
    if (const Status fits = c_api::check_memory(bytes, size_bytes); !fits) return fits;
    return image->image.write({static_cast<const std::byte*>(bytes), size_bytes}, row_pitch,
                              slice_pitch);
  });
}

transpire_status transpire_image_read(const transpire_image* image, void* bytes,
                                      uint64_t size_bytes, uint64_t row_pitch, uint64_t slice_pitch,
                                      transpire_error** error) {
  return guarded(__func__, error, {{"image", image}, {"bytes", bytes}}, [&]() -> Status {
    if (const Status fits = c_api::check_memory(bytes, size_bytes); !fits) return fits;
    return image->image.read({static_cast<std::byte*>(bytes), size_bytes}, row_pitch, slice_pitch);
  });
}

transpire_status transpire_launch_set_image(transpire_launch* launch, size_t index,
                                            const transpire_image* image, transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}, {"image", image}}, [&] {
    return c_api::set_argument(*launch, index, [&] { return Argument::image(image->image); });
  });
}

transpire_status transpire_launch_set_sampler(transpire_launch* launch, size_t index,
                                              const char* words, transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}, {"words", words}}, [&]() -> Status {
    std::istringstream text(words);
    std::vector<std::string> list;
    for (std::string word; text >> word;) list.push_back(word);
    TRANSPIRE_TRY(const Sampler sampler, Sampler::named(list));
    return c_api::set_argument(*launch, index, [&] { return Argument::sampler(sampler); });
  });
}
