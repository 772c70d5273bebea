// Pipelines of Amber scripts: their shader, and what they bind.
#include <algorithm>

#include "launch/language/amber_script.h"
#include "launch/report/text.h"

namespace transpire::launch {
namespace {

constexpr std::string_view kBound[] = {"",
                                       "push_constant",
                                       "storage",
                                       "storage_dynamic",
                                       "storage_image",
                                       "uniform",
                                       "storage_texel_buffer",
                                       "uniform_texel_buffer",
                                       "uniform_dynamic",
                                       "sampled_image",
                                       "combined_image_sampler"};

}  // namespace

Status AmberScript::pipeline() {
  const std::string_view kind = words_.word();
  if (kind != "compute") return not_supported(fmt::format("a {} pipeline", kind));
  TRANSPIRE_TRY(const std::string name, name_of("name of the pipeline"));
  return read_pipeline(name);
}

Status AmberScript::derived_pipeline() {
  TRANSPIRE_TRY(const std::string name, name_of("name of the pipeline"));
  if (const Status next = expect_word("FROM"); !next) return next;
  TRANSPIRE_TRY(const std::string parent, name_of("pipeline to derive from"));
  const auto known = pipelines_.find(parent);
  if (known == pipelines_.end())
    return amber_error(fmt::format("there is no pipeline '{}'", parent));
  pipelines_[name] = known->second;
  return read_pipeline(name);
}

bool AmberScript::is_opencl() const {
  const auto shader = shaders_.find(open_->shader);
  return shader != shaders_.end() && shader->second.format == "OPENCL-C";
}

Status AmberScript::attach() {
  TRANSPIRE_TRY(open_->shader, name_of("name of the shader"));
  if (!shaders_.contains(open_->shader))
    return amber_error(fmt::format("there is no shader '{}'", open_->shader));
  open_->constants.clear();
  open_->local = {1, 1, 1};
  for (std::string_view word = words_.word(); !word.empty(); word = words_.word()) {
    if (word == "TYPE") {
      if (const std::string_view stage = words_.word(); stage != "compute")
        return not_supported(fmt::format("a graphics pipeline (a {} shader)", stage));
    } else if (word == "ENTRY_POINT") {
      TRANSPIRE_TRY(open_->entry, name_of("name of the entry point"));
    } else if (word == "SPECIALIZE") {
      if (const Status done = specialise(); !done) return done;
    } else {
      return amber_error(fmt::format("'{}' was not expected behind 'ATTACH'", word));
    }
  }
  return Unit{};
}

/// A constant of a shader. Constants 0 to 2 of OpenCL C are the sizes of groups.
Status AmberScript::specialise() {
  SpecialisationSpec constant;
  TRANSPIRE_TRY(constant.target, name_of("SpecId"));
  if (const Status next = expect_word("AS"); !next) return next;
  TRANSPIRE_TRY(const AmberType type, amber_type(words_.word(), false, {}));
  if (type.slots.size() != 1) return amber_error("a specialisation constant takes one number");
  TRANSPIRE_TRY(std::string value, amber_number(words_.word(), type.slots[0].type));
  if (is_opencl()) {
    TRANSPIRE_TRY(const std::uint64_t dimension, parse_count(constant.target, "SpecId"));
    if (dimension >= open_->local.size())
      return amber_error(fmt::format("OpenCL C has no constant {}", dimension));
    TRANSPIRE_TRY(open_->local[dimension], parse_count(value, "size"));
    return Unit{};
  }
  constant.value.type = TypeWord{type.slots[0].type, 1};
  constant.value.literals.push_back({std::move(value), {}, false});
  constant.where = words_.where();
  open_->constants.push_back(std::move(constant));
  return Unit{};
}

// ---- What is bound ----------------------------------------------------------------------------------

Status AmberScript::bind() {
  const std::string_view what = words_.word();
  if (what == "BUFFER") return bind_buffers(false);
  if (what == "BUFFER_ARRAY") return bind_buffers(true);
  if (what == "SAMPLER") return bind_sampler();
  return not_supported(fmt::format("BIND {}", what));
}

/// The place behind `KERNEL` or `DESCRIPTOR_SET`.
Result<ArgumentSpec> AmberScript::place(std::string_view first) {
  if (first == "KERNEL") return kernel_argument();
  if (first == "DESCRIPTOR_SET") return descriptor();
  return amber_error(fmt::format("'DESCRIPTOR_SET' or 'KERNEL' is expected, found '{}'", first));
}

/// ARG_NAME NAME or ARG_NUMBER INDEX.
Result<ArgumentSpec> AmberScript::kernel_argument() {
  ArgumentSpec argument;
  const std::string_view how = words_.word();
  if (how != "ARG_NAME" && how != "ARG_NUMBER")
    return amber_error(fmt::format("'ARG_NAME' or 'ARG_NUMBER' is expected, found '{}'", how));
  TRANSPIRE_TRY(argument.target, name_of("argument of the kernel"));
  return argument;
}

/// SET BINDING N. The bindings of OpenCL C are the kernel's arguments.
Result<ArgumentSpec> AmberScript::descriptor() {
  ArgumentSpec argument;
  argument.may_be_unused = true;
  TRANSPIRE_TRY(const std::uint64_t set, number("descriptor set"));
  if (const Status next = expect_word("BINDING"); !next) return next.errors();
  TRANSPIRE_TRY(const std::uint64_t binding, number("binding"));
  if (is_opencl() && set == 0) {
    argument.target = fmt::to_string(binding);
    return argument;
  }
  argument.form = ArgumentSpec::Form::kBinding;
  argument.target = fmt::format("{}.{}", set, binding);
  return argument;
}

/// Binds in place of what the pipeline had there.
Status AmberScript::add_argument(ArgumentSpec argument) {
  std::erase_if(open_->arguments, [&](const ArgumentSpec& other) {
    return other.form == argument.form && other.target == argument.target;
  });
  open_->arguments.push_back(std::move(argument));
  return Unit{};
}

/// Offsets and sizes up to the end of the line, several where an array is bound.
Result<AmberRanges> AmberScript::ranges() {
  AmberRanges found;
  for (std::string_view word = words_.word(); !word.empty(); word = words_.word()) {
    if (word == "BASE_MIP_LEVEL") return not_supported(word);
    if (word != "OFFSET" && word != "DESCRIPTOR_OFFSET" && word != "DESCRIPTOR_RANGE")
      return amber_error(fmt::format("'{}' was not expected behind 'BIND'", word));
    bool is_first = true;
    for (; is_first || words_.peek().find_first_of("0123456789-") == 0; is_first = false) {
      if (words_.peek() == "-1") {  // the whole buffer
        words_.word();
        found.sizes.emplace_back();
        continue;
      }
      TRANSPIRE_TRY(const std::uint64_t bytes, number("number of bytes"));
      if (word == "DESCRIPTOR_RANGE")
        found.sizes.emplace_back(bytes);
      else
        (word == "OFFSET" ? found.offsets : found.more_offsets).push_back(bytes);
    }
  }
  return found;
}

/// Binds element `index` of what the line names.
Status AmberScript::bind_range(ArgumentSpec argument, const AmberRanges& ranges,
                               std::size_t index) {
  const std::uint64_t size = buffers_.find(argument.buffer.name)->second.size_bytes;
  const auto range = index < ranges.sizes.size() ? ranges.sizes[index] : std::nullopt;
  std::uint64_t offset = 0;
  for (const std::vector<std::uint64_t>* const list : {&ranges.offsets, &ranges.more_offsets}) {
    const std::uint64_t more = index < list->size() ? (*list)[index] : 0;
    if (size == 0 && more != 0 && !range)
      return not_supported("an offset without DESCRIPTOR_RANGE in a buffer from a file");
    if (more > (size == 0 ? UINT64_MAX : size) - offset)
      return amber_error("the offset lies past the buffer");
    offset += more;
  }
  argument.buffer.offset_bytes = offset;
  if (range || offset != 0) argument.buffer.size_bytes = range.value_or(size - offset);
  return add_argument(std::move(argument));
}

/// Buffers and images; several for an array of descriptors.
Status AmberScript::bind_buffers(bool is_array) {
  std::vector<std::string> names;
  do {
    TRANSPIRE_TRY(names.emplace_back(), name_of("name of the buffer"));
    if (!buffers_.contains(names.back()))
      return amber_error(fmt::format("there is no buffer '{}'", names.back()));
  } while (is_array && words_.peek() != "AS" && words_.peek() != "KERNEL");
  std::string_view word = words_.word();
  const std::string kind(word == "AS" ? words_.word() : "");
  const AmberBuffer& first = buffers_.find(names[0])->second;
  if (std::ranges::find(kBound, kind) == std::end(kBound))
    return not_supported(fmt::format("a buffer as {}", kind));
  ArgumentSpec argument;
  if (kind == "push_constant") {
    argument.form = ArgumentSpec::Form::kPush;
    argument.may_be_unused = true;
    argument.target = "0";
    argument.value = first.value;
    argument.buffer.name = names[0];
    return add_argument(std::move(argument));
  }
  std::string sampler;
  if (word == "AS") word = words_.word();
  if (word == "SAMPLER") {
    TRANSPIRE_TRY(sampler, name_of("name of the sampler"));
    if (!samplers_.contains(sampler))
      return amber_error(fmt::format("there is no sampler '{}'", sampler));
    word = words_.word();
  }
  TRANSPIRE_TRY(argument, place(word));
  TRANSPIRE_TRY(const AmberRanges ranges, this->ranges());
  const bool has_texels = kind.ends_with("_texel_buffer");
  const bool is_image = kind.ends_with("image") || kind.ends_with("sampler") || kind.empty();
  if (has_texels &&
      !(ranges.offsets.empty() && ranges.more_offsets.empty() && ranges.sizes.empty()))
    return not_supported("a part of a buffer as texels");
  const std::string target = argument.target;
  for (std::size_t i = 0; i < names.size(); ++i) {
    argument.target = is_array ? fmt::format("{}[{}]", target, i) : target;
    argument.kind = ArgumentSpec::Kind::kBuffer;
    argument.buffer.name = names[i];
    if (has_texels)
      if (const Status done = as_texels(names[i]); !done) return done;
    if (is_image)
      if (const Status done = as_image(names[i]); !done) return done;
    if (const Status done = bind_range(argument, ranges, i); !done) return done;
    if (sampler.empty()) continue;
    argument.kind = ArgumentSpec::Kind::kSampler;
    argument.target += ".sampler";
    argument.sampler = samplers_.find(sampler)->second;
    if (const Status done = add_argument(argument); !done) return done;
  }
  return Unit{};
}

Status AmberScript::bind_sampler() {
  TRANSPIRE_TRY(const std::string name, name_of("name of the sampler"));
  const auto known = samplers_.find(name);
  if (known == samplers_.end()) return amber_error(fmt::format("there is no sampler '{}'", name));
  TRANSPIRE_TRY(ArgumentSpec argument, place(words_.word()));
  argument.kind = ArgumentSpec::Kind::kSampler;
  argument.sampler = known->second;
  return add_argument(std::move(argument));
}

/// A number for an argument of a kernel in OpenCL C: SET KERNEL ARG_NAME n AS int32 5.
Status AmberScript::set_argument() {
  if (const Status next = expect_word("KERNEL"); !next) return next;
  TRANSPIRE_TRY(ArgumentSpec argument, kernel_argument());
  if (const Status next = expect_word("AS"); !next) return next;
  TRANSPIRE_TRY(const AmberType type, amber_type(words_.word(), false, {}));
  if (type.slots.size() != 1) return not_supported("SET of several numbers");
  TRANSPIRE_TRY(std::string value, amber_number(words_.word(), type.slots[0].type));
  argument.value.type = TypeWord{type.slots[0].type, 1};
  argument.value.literals.push_back({std::move(value), {}, false});
  return add_argument(std::move(argument));
}

/// COMPILE_OPTIONS SHADER ... END. Options of clspv are ignored, but the version of OpenCL C.
Status AmberScript::compile_options() {
  TRANSPIRE_TRY(const std::string shader, name_of("name of the shader"));
  open_->options.clear();
  for (std::string_view word = words_.any_word(); word != "END"; word = words_.any_word()) {
    if (word.empty()) return amber_error("'END' is missing behind the options");
    if (word.starts_with("--")) word.remove_prefix(1);
    if (word.starts_with("-cl-std=") && shader == open_->shader) open_->options.emplace_back(word);
  }
  return Unit{};
}

}  // namespace transpire::launch
