// Buffers, images and samplers of Amber scripts.
#include <algorithm>

#include "base/checked.h"
#include "launch/language/amber_script.h"
#include "launch/language/number.h"
#include "launch/report/text.h"

namespace transpire::launch {

Status AmberScript::structure() {
  TRANSPIRE_TRY(const std::string name, name_of("name of the struct"));
  AmberStruct made;
  if (words_.peek() == "STRIDE") {
    words_.word();
    TRANSPIRE_TRY(made.stride_bytes, number("stride"));
  }
  for (std::string_view word = words_.any_word(); word != "END"; word = words_.any_word()) {
    if (word.empty()) return amber_error("'END' is missing behind the struct");
    AmberMember& member = made.members.emplace_back();
    member.type = word;
    TRANSPIRE_TRY(const std::string ignored, name_of("name of the member"));
    for (std::string_view more = words_.word(); !more.empty(); more = words_.word()) {
      TRANSPIRE_TRY(const std::uint64_t bytes, number("number of bytes"));
      if (more == "OFFSET")
        member.offset_bytes = bytes;
      else if (more == "ARRAY_STRIDE")
        member.array_stride = bytes;
      else
        return not_supported(fmt::format("{} of a struct's member", more));
    }
  }
  structs_[name] = std::move(made);
  return Unit{};
}

Result<ValueSpec> AmberScript::numbers_of(const AmberType& type, AmberWords& from) {
  std::vector<std::string> numbers;
  for (std::string_view word = from.any_word(); word != "END"; word = from.any_word()) {
    if (word.empty() && &from == &words_) return amber_error("'END' is missing behind the data");
    if (word.empty()) break;
    numbers.emplace_back(word);
  }
  return amber_value(type, numbers, std::nullopt);
}

Result<ValueSpec> AmberScript::file_value(const AmberType& type) {
  std::string_view form = words_.word();
  ValueSpec value;
  value.maker = ValueSpec::Maker::kFile;
  value.type = type.word() ? *type.word() : TypeWord{ScalarType::kUchar, 1};
  value.any_type = true;
  value.raw_bytes = !type.word();
  TRANSPIRE_TRY(value.file, name_of("name of the file"));
  if (form == "BINARY") return value;
  if (form != "TEXT") return not_supported(fmt::format("a buffer from a {} file", form));
  const auto bytes = read_text_file(builder_.path_of(value.file));
  if (!bytes) return bytes.errors();
  AmberWords text({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, value.file);
  return numbers_of(type, text);
}

/// `count` elements, or as many as the data have.
Result<ValueSpec> AmberScript::initializer(const AmberType& type,
                                           std::optional<std::uint64_t> count) {
  const std::string_view how = words_.word();
  if (how == "DATA") return numbers_of(type, words_);
  if (how == "FILE") return file_value(type);
  if (!count) return amber_error("a buffer needs 'DATA', 'FILE', or 'SIZE' and how to fill it");
  if (how == "FILL") {
    TRANSPIRE_TRY(std::string filler, name_of("number that fills the buffer"));
    return amber_value(type, {std::move(filler)}, *count);
  }
  if (how != "SERIES_FROM" || type.slots.size() != 1 || !type.word())
    return amber_error(fmt::format("'{}' is nothing that fills this buffer", how));
  ValueSpec value;
  value.maker = ValueSpec::Maker::kRange;
  value.type = *type.word();
  value.any_type = true;
  value.count = *count;
  TRANSPIRE_TRY(std::string start, name_of("start of the series"));
  if (const Status next = expect_word("INC_BY"); !next) return next.errors();
  TRANSPIRE_TRY(std::string step, name_of("step of the series"));
  for (std::string* const text : {&start, &step}) {
    TRANSPIRE_TRY(std::string word, amber_number(*text, type.slots[0].type));
    value.literals.push_back({std::move(word), {}, false});
  }
  return value;
}

Status AmberScript::buffer() {
  BufferSpec spec;
  TRANSPIRE_TRY(spec.name, name_of("name of the buffer"));
  if (words_.word() != "DATA_TYPE")
    return not_supported("an image of a framebuffer (BUFFER FORMAT)");
  TRANSPIRE_TRY(const std::string type_name, name_of("type of the data"));
  const std::string layout(words_.peek());
  if (layout == "STD140" || layout == "STD430") words_.word();
  TRANSPIRE_TRY(AmberType type, amber_type(type_name, layout == "STD140", structs_));
  std::optional<std::uint64_t> count;
  std::uint64_t width = 0;
  if (const std::string_view word = words_.peek(); word == "SIZE" || word == "WIDTH") {
    words_.word();
    TRANSPIRE_TRY(count, number("size"));
    if (word == "WIDTH") {
      if (const Status next = expect_word("HEIGHT"); !next) return next;
      TRANSPIRE_TRY(const std::uint64_t rows, number("height"));
      const Checked both = Checked(*count) * rows;
      if (!both.fits(UINT64_MAX)) return command_error(kBadValue, "the buffer is too large");
      width = *count;
      count = both.value();
    }
    if (!(Checked(*count) * type.size_bytes).fits(UINT64_MAX))
      return command_error(kBadValue, "the buffer is too large");
  }
  TRANSPIRE_TRY(spec.value, initializer(type, count));
  const std::size_t numbers = spec.value.raw_bytes && !spec.value.literals.empty()
                                  ? spec.value.literals[0].number.size() / 2 / type.size_bytes
                                  : spec.value.literals.size() / type.slots.size();
  const std::uint64_t size = count.value_or(numbers) * type.size_bytes;
  buffers_[spec.name] = {std::move(type), spec.value, size, width, type_name};
  return builder_.declare(std::move(spec));
}

// ---- Images and samplers ----------------------------------------------------------------------------

namespace {

/// The channels of texels that are numbers of one type, or that the format's name ends with.
Result<ImageDescription> channels_of(const AmberType& type, std::string_view name) {
  constexpr std::string_view kOrders[] = {"R", "RG", "", "RGBA"};
  const std::size_t count = type.slots.size();
  ImageDescription image;
  if (!type.word() || count > std::size(kOrders) || kOrders[count - 1].empty())
    return not_supported(fmt::format("an image of '{}'", name));
  image.channel_order = name.starts_with('B') ? "BGRA" : kOrders[count - 1];
  const ScalarType scalar = type.slots[0].type;
  const std::uint64_t bits = 8 * size_bytes(scalar);
  if (name.ends_with("NORM"))
    image.channel_type = fmt::format("{}_INT{}", name.substr(name.size() - 5), bits);
  else if (is_float(scalar))
    image.channel_type = bits == 16 ? "HALF_FLOAT" : "FLOAT";
  else
    image.channel_type = fmt::format("{}_INT{}", is_signed(scalar) ? "SIGNED" : "UNSIGNED", bits);
  if (bits == 64) return not_supported(fmt::format("an image of '{}'", name));
  return image;
}

}  // namespace

/// IMAGE NAME (DATA_TYPE TYPE | FORMAT NAME) DIM_2D WIDTH N HEIGHT N, and what fills it.
Status AmberScript::image() {
  constexpr std::pair<std::string_view, ImageDim> kDims[] = {
      {"DIM_1D", ImageDim::k1D}, {"DIM_2D", ImageDim::k2D}, {"DIM_3D", ImageDim::k3D}};
  BufferSpec spec;
  spec.kind = BufferSpec::Kind::kImage;
  TRANSPIRE_TRY(spec.name, name_of("name of the image"));
  if (const std::string_view word = words_.word(); word != "DATA_TYPE" && word != "FORMAT")
    return amber_error(fmt::format("'DATA_TYPE' or 'FORMAT' is expected, found '{}'", word));
  TRANSPIRE_TRY(const std::string type_name, name_of("type of the texels"));
  TRANSPIRE_TRY(AmberType type, amber_type(type_name, false, {}));
  TRANSPIRE_TRY(spec.image, channels_of(type, type_name));
  const std::string_view dim = words_.word();
  const auto known = std::ranges::find(kDims, dim, [](const auto& row) { return row.first; });
  if (known == std::end(kDims)) return not_supported(fmt::format("an image with {}", dim));
  spec.image.dim = known->second;
  has_depth_ |= known->second == ImageDim::k3D;
  const std::pair<std::string_view, std::uint64_t*> sides[] = {
      {"WIDTH", &spec.image.width}, {"HEIGHT", &spec.image.height}, {"DEPTH", &spec.image.depth}};
  Checked count = 1;
  for (const auto& [word, side] :
       std::span(sides).first(static_cast<std::size_t>(known - kDims) + 1)) {
    if (const Status next = expect_word(word); !next) return next;
    TRANSPIRE_TRY(*side, number("size"));
    count = count * *side;
  }
  const Checked size = count * type.size_bytes;
  if (!size.fits(UINT64_MAX)) return amber_error("the image is too large");
  spec.value.maker = ValueSpec::Maker::kZero;
  spec.value.any_type = true;
  if (words_.peek() == "SAMPLES") return not_supported("a multisampled image");
  if (!words_.peek().empty()) {
    TRANSPIRE_TRY(spec.value, initializer(type, count.value()));
  }
  buffers_[spec.name] = {std::move(type), spec.value, size.value(), 0, type_name};
  return builder_.declare(std::move(spec));
}

/// Lets a buffer be bound as texels, too.
Status AmberScript::as_texels(const std::string& name) {
  const AmberBuffer& buffer = buffers_.find(name)->second;
  BufferSpec* const spec = builder_.declared(name);
  if (spec == nullptr || buffer.size_bytes == 0)
    return not_supported("a buffer of texels from a file");
  if (spec->kind == BufferSpec::Kind::kImage) return Unit{};
  TRANSPIRE_TRY(spec->image, channels_of(buffer.type, buffer.type_name));
  spec->kind = BufferSpec::Kind::kImage;
  spec->image.dim = ImageDim::k1DBuffer;
  spec->image.width = buffer.size_bytes / buffer.type.size_bytes;
  return Unit{};
}

/// Makes a buffer that has WIDTH and HEIGHT the image that it is bound as.
Status AmberScript::as_image(const std::string& name) {
  const AmberBuffer& buffer = buffers_.find(name)->second;
  BufferSpec* const spec = builder_.declared(name);
  if (buffer.width == 0 || buffer.size_bytes == 0 || spec->kind == BufferSpec::Kind::kImage)
    return Unit{};
  TRANSPIRE_TRY(spec->image, channels_of(buffer.type, buffer.type_name));
  spec->kind = BufferSpec::Kind::kImage;
  spec->image.dim = ImageDim::k2D;
  spec->image.width = buffer.width;
  spec->image.height = buffer.size_bytes / buffer.type.size_bytes / buffer.width;
  return Unit{};
}

/// SAMPLER NAME, and parameters that have a default each.
Status AmberScript::sampler() {
  TRANSPIRE_TRY(const std::string name, name_of("name of the sampler"));
  std::map<std::string, std::string, std::less<>> given = {
      {"MAG_FILTER", "nearest"},
      {"MIN_FILTER", "nearest"},
      {"ADDRESS_MODE_U", "repeat"},
      {"ADDRESS_MODE_V", "repeat"},
      {"ADDRESS_MODE_W", ""},
      {"MIN_LOD", "0"},
      {"MAX_LOD", "0"},
      {"BORDER_COLOR", "float_transparent_black"}};
  bool is_normalized = true;
  for (std::string_view word = words_.word(); !word.empty(); word = words_.word()) {
    if (word == "NORMALIZED_COORDS" || word == "UNNORMALIZED_COORDS") {
      is_normalized = word == "NORMALIZED_COORDS";
      continue;
    }
    const auto known = given.find(word);
    if (known == given.end()) return not_supported(fmt::format("{} of a sampler", word));
    TRANSPIRE_TRY(known->second, name_of(word));
  }
  const std::string mode = given["ADDRESS_MODE_U"], filter = given["MAG_FILTER"];
  const std::string& depth_mode = given["ADDRESS_MODE_W"];
  repeats_depth_ |= depth_mode.empty() && mode != "repeat";
  if (given["ADDRESS_MODE_V"] != mode || (!depth_mode.empty() && depth_mode != mode))
    return not_supported("a sampler with several address modes");
  if (given["MIN_FILTER"] != filter) return not_supported("a sampler with several filters");
  if (!given["BORDER_COLOR"].ends_with("transparent_black"))
    return not_supported("a border that is not transparent");
  const std::string words[] = {mode == "clamp_to_border" ? "clamp" : mode, filter,
                               is_normalized ? "normalized" : "unnormalized"};
  const auto made = Sampler::named(words);
  if (!made) return made.errors();
  samplers_[name] = *made;
  return Unit{};
}

}  // namespace transpire::launch
