// Binds arguments: see the header.
#include "launch/runner/bind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "launch/language/block_part.h"
#include "launch/language/image_argument.h"
#include "launch/language/parameters.h"
#include "launch/language/pipe_argument.h"
#include "launch/report/diagnose.h"
#include "launch/runner/image_maker.h"
#include "launch/runner/pipe_maker.h"
#include "launch/runner/sim_value.h"
#include "launch/runner/type_match.h"
#include "launch/runner/value_maker.h"

namespace transpire::launch {
namespace {

Diagnostic argument_error(const ParameterInfo& parameter, std::string_view what,
                          std::string help = {}) {
  return command_error(kBadArgument, fmt::format("argument '{}': {}", parameter.name, what),
                       std::move(help));
}

/// The bytes that OpenCL C has for the type: a vector of three has the room of four.
std::uint64_t packed_bytes(const TypeInfo& type) {
  if (type.kind != TypeInfo::Kind::kVector) return std::max(type.width_bits / 8, 1u);
  return type.elements[0].size_bytes * (type.count == 3 ? 4 : type.count);
}

/// Explains why data of type `given` do not fit a pointer to `wanted`; empty if they fit.
std::string mismatch(const TypeInfo& given, const TypeInfo* wanted, std::uint64_t bytes) {
  if (wanted == nullptr || wanted->size_bytes == 0) return {};
  // Elements that stand apart, such as floats in std140.
  if ((scalar_of(*wanted) || wanted->kind == TypeInfo::Kind::kVector) &&
      stride_bytes(given) != stride_bytes(*wanted) && class_of(given) == class_of(*wanted) &&
      stride_bytes(*wanted) > packed_bytes(*wanted))
    return fmt::format("elements of type {} are {} bytes apart, the data are of type {}",
                       text_of(*wanted), stride_bytes(*wanted), text_of(given));
  if (!may_hold(*wanted, given))
    return fmt::format("the parameter points to {}, the data are of type {}", text_of(*wanted),
                       text_of(given));
  if (bytes % stride_bytes(*wanted) != 0)
    return fmt::format("{} bytes are not a whole number of {} of {} bytes each", bytes,
                       text_of(*wanted), stride_bytes(*wanted));
  return {};
}

/// Checks that the parameter may point to the buffer. `value` made the buffer; it is null for a declared one.
Status check_fits(const ParameterInfo& parameter, const BoundBuffer& buffer,
                  const ValueSpec* value = nullptr) {
  if (buffer.any_type) return Unit{};
  const TypeInfo* pointee = pointee_of(parameter);
  const std::string why = mismatch(buffer.type, pointee, buffer.memory.bytes().size());
  if (why.empty()) return Unit{};
  if (value != nullptr && value->maker == ValueSpec::Maker::kNpy)
    return argument_error(parameter, why, conversion_hint(*value, *pointee));
  return argument_error(
      parameter, why,
      fmt::format("write the value as {}, or add ':raw' to pass the bytes as they are",
                  text_of(*pointee)));
}

Result<BoundBufferPointer> buffer_of(const std::string& name, TypedBytes data, bool read_only,
                                     bool write_only) {
  // Keeps the value's memory and gives it the buffer's name.
  auto memory = data.bytes.empty() ? Buffer::create(0, name)
                                   : Buffer::wrap(data.bytes, name, data.memory.state());
  if (!memory) return memory.errors();
  memory->set_read_only(read_only);
  memory->set_write_only(write_only);
  auto bound = std::make_shared<BoundBuffer>();
  *bound = {name, std::move(data.type), data.any_type, *memory, std::move(data.shape)};
  return bound;
}

BoundArgument argument_for(BoundBufferPointer buffer, std::uint64_t offset_bytes = 0) {
  return {Argument::buffer(buffer->memory, offset_bytes), std::move(buffer)};
}

/// "packets of 16 bytes"
std::string packets_of(std::uint32_t bytes) {
  return fmt::format("packets of {} byte{}", bytes, bytes == 1 ? "" : "s");
}

std::string describe(const ArgumentSpec& spec) {
  switch (spec.kind) {
    case ArgumentSpec::Kind::kLocal:
      return "local memory";
    case ArgumentSpec::Kind::kNull:
      return "null";
    case ArgumentSpec::Kind::kBuffer:
      return fmt::format("buffer '{}'", spec.buffer.name);
    case ArgumentSpec::Kind::kShared:
      return "a pointer to shared memory";
    case ArgumentSpec::Kind::kImage:
      return fmt::format("a {} image", image_dim_name(spec.image.dim));
    case ArgumentSpec::Kind::kSampler:
      return "a sampler";
    case ArgumentSpec::Kind::kPipe:
      return fmt::format("a pipe of {}", packets_of(spec.pipe.packet_bytes));
    case ArgumentSpec::Kind::kQueue:
      return "a queue";
    default:
      return "a value";
  }
}

Diagnostic wrong_kind(const ParameterInfo& parameter, const ArgumentSpec& spec,
                      std::string_view wants) {
  return argument_error(
      parameter,
      fmt::format("{} is expected ({}), found {}", wants, text_of(parameter.type), describe(spec)),
      fmt::format("for example '{}'", argument_template(parameter)));
}

Result<BoundArgument> bind_local(const ParameterInfo& parameter, const ArgumentSpec& spec) {
  const bool sim = spec.kind == ArgumentSpec::Kind::kSim;
  if (!sim && spec.kind != ArgumentSpec::Kind::kLocal)
    return wrong_kind(parameter, spec, "a size of local memory");
  if (sim && !spec.sim.values.empty())
    return argument_error(parameter, "local memory takes a size and no numbers");
  const std::uint64_t bytes = sim ? spec.sim.size_bytes : spec.local_bytes;
  if (bytes == 0) return argument_error(parameter, "the size of local memory is zero");
  return BoundArgument{Argument::local(bytes), nullptr};
}

Result<BoundArgument> bind_sim_buffer(const ParameterInfo& parameter, const ArgumentSpec& spec,
                                      const Allowance& allowed) {
  if (spec.sim.null) return BoundArgument{Argument::null(), nullptr};
  const TypeInfo* pointee = pointee_of(parameter);
  const auto leaves = pointee != nullptr ? leaves_of(*pointee) : std::vector<Leaf>{};
  auto data = evaluate_sim(spec.sim, leaves.empty() ? std::nullopt : std::optional(leaves[0].type),
                           allowed);
  if (!data) return data.errors();
  auto buffer =
      buffer_of(parameter.name, std::move(data).value(), spec.sim.read_only, spec.sim.write_only);
  if (!buffer) return buffer.errors();
  if (spec.sim.noinit && spec.sim.values.empty()) (*buffer)->memory.set_undefined();
  return argument_for(*buffer);
}

Result<BoundBufferPointer> known_buffer(const std::string& name, const BufferTable& known) {
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& entry : known) names.push_back(entry.first);
  return command_error(kNoSuchBuffer, fmt::format("there is no buffer '{}'", name),
                       names.empty()
                           ? fmt::format("declare it: 'buffer {} = float:zero:1024'", name)
                           : suggestion(name, names, "buffers"));
}

Result<BoundArgument> bind_known(const ParameterInfo& parameter, const ArgumentSpec& spec,
                                 const BufferTable& known) {
  const BufferReference& reference = spec.buffer;
  auto buffer = reference.size_bytes ? slice_buffer(parameter.name, reference, known)
                                     : known_buffer(reference.name, known);
  if (!buffer) return buffer.errors();
  if ((*buffer)->pipe)
    return argument_error(parameter, fmt::format("a buffer is expected ({}), '{}' is a pipe",
                                                 text_of(parameter.type), reference.name));
  if (const auto fits = check_fits(parameter, **buffer); !fits) return fits.errors();
  if (reference.size_bytes) return argument_for(*buffer);
  const std::uint64_t size = (*buffer)->memory.bytes().size();
  if (reference.offset_bytes > size)
    return argument_error(parameter, fmt::format("offset {} lies past the {} bytes of buffer '{}'",
                                                 reference.offset_bytes, size, reference.name));
  return argument_for(*buffer, reference.offset_bytes);
}

/// Binds a pointer to shared memory. Prints and expectations see the declared range.
Result<BoundArgument> bind_shared(const SharedReference& reference, const BufferTable& known) {
  if (reference.name.empty())
    return BoundArgument{Argument::shared(reinterpret_cast<const void*>(reference.address)),
                         nullptr};
  auto buffer = known_buffer(reference.name, known);
  if (!buffer) return buffer.errors();
  // Any offset is legal, because a pointer may point anywhere; accesses are checked.
  const std::uint64_t address =
      reinterpret_cast<std::uintptr_t>((*buffer)->memory.bytes().data()) + reference.offset_bytes;
  return BoundArgument{Argument::shared(reinterpret_cast<const void*>(address)), *buffer};
}

bool is_word(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         !parse_number(text, ScalarType::kDouble) && !parse_number(text, ScalarType::kBool);
}

/// Length of an array in C: "int[32]" gives "32". Other words give an empty text.
std::string_view length_in(std::string_view word) {
  const std::size_t open = std::min(word.find('['), word.size());
  if (!word.ends_with(']') || !type_word(word.substr(0, open))) return {};
  const std::string_view length = word.substr(open + 1, word.size() - open - 2);
  return length.find_first_not_of("0123456789") == length.npos ? length : std::string_view{};
}

/// Help for a word in the place of numbers: a type, an array of C, a name.
std::string help_for_word(const ParameterInfo& parameter, std::string type, std::string_view word) {
  constexpr std::string_view kSomeLength = "64";
  std::string_view length = length_in(word);
  const std::string_view named = length.empty() ? word : word.substr(0, word.find('['));
  if (length.empty()) length = kSomeLength;
  if (type_word(named)) type = std::string(named) + ":";
  return fmt::format(
      "a buffer of {} zeros is '{} = {}zero:{}', one of three numbers '{} = {}data:1,2,3'", length,
      parameter.name, type, length, parameter.name, type);
}

/// Error about numbers without a maker for a buffer. The help shows how to write a buffer.
Diagnostic bare_values(const ParameterInfo& parameter, const ArgumentSpec& spec) {
  constexpr std::size_t kMostShown = 16;
  Diagnostic error = wrong_kind(parameter, spec, "a buffer");
  const TypeInfo* const pointee = pointee_of(parameter);
  const std::string type =
      pointee != nullptr && type_word(pointee->spelling) ? pointee->spelling + ":" : "";
  std::string numbers;
  for (const Literal& literal : spec.value.literals) {
    if (!literal.is_list && is_word(literal.number)) {
      error.help = help_for_word(parameter, type, literal.number);
      return error;
    }
    std::string number = literal.number;
    std::erase_if(number, [](char c) { return c == '[' || c == ']'; });
    if (literal.is_list || number.empty()) return error;
    numbers += (numbers.empty() ? "" : ",") + number;
  }
  const std::size_t count = spec.value.literals.size();
  if (count == 1)
    error.help = fmt::format(
        "a buffer of one element is '{} = {}data:{}', one of 1024 '{} = {}fill:{}:1024'",
        parameter.name, type, numbers, parameter.name, type, numbers);
  else if (count <= kMostShown)
    error.help = fmt::format("write '{} = {}data:{}'", parameter.name, type, numbers);
  return error;
}

Result<BoundArgument> bind_buffer(const ParameterInfo& parameter, const ArgumentSpec& spec,
                                  const BufferTable& known, const Allowance& allowed) {
  switch (spec.kind) {
    case ArgumentSpec::Kind::kNull:
      return BoundArgument{Argument::null(), nullptr};
    case ArgumentSpec::Kind::kBuffer:
      return bind_known(parameter, spec, known);
    case ArgumentSpec::Kind::kShared:
      return bind_shared(spec.shared, known);
    case ArgumentSpec::Kind::kSim:
      return bind_sim_buffer(parameter, spec, allowed);
    case ArgumentSpec::Kind::kLocal:
    case ArgumentSpec::Kind::kImage:
    case ArgumentSpec::Kind::kSampler:
    case ArgumentSpec::Kind::kPipe:
    case ArgumentSpec::Kind::kQueue:
      return wrong_kind(parameter, spec, "a buffer");
    case ArgumentSpec::Kind::kValue:
      break;
  }
  ValueSpec value = spec.value;
  if (value.maker == ValueSpec::Maker::kLiterals) {
    if (spec.form != ArgumentSpec::Form::kBinding) return bare_values(parameter, spec);
    value.maker = ValueSpec::Maker::kData;
  }
  const auto buffer = make_buffer(parameter.name, value, pointee_of(parameter), allowed);
  if (!buffer) return buffer.errors();
  if (const auto fits = check_fits(parameter, **buffer, &value); !fits) return fits.errors();
  return argument_for(*buffer);
}

/// True if the value's type is that of the parameter, apart from signs. An array may hold the components of a vector.
bool is_of_type(const ValueSpec& value, const TypeInfo& given, const TypeInfo& wanted) {
  const bool is_array = value.maker == ValueSpec::Maker::kNpy;
  if (!value.type && !is_array) return true;
  return (is_array || given.size_bytes == wanted.size_bytes) && class_of(given) &&
         class_of(given) == class_of(wanted);
}

Result<BoundArgument> bind_value(const ParameterInfo& parameter, const ArgumentSpec& spec,
                                 const Allowance& allowed) {
  const TypeInfo& type = value_type(parameter);
  Result<TypedBytes> data = TypedBytes{};
  if (spec.kind == ArgumentSpec::Kind::kSim) {
    const auto leaves = leaves_of(type);
    if (spec.sim.null || spec.sim.noinit)
      return argument_error(parameter, "'null' and 'noinit' are for buffers");
    data = evaluate_sim(spec.sim, leaves.empty() ? std::nullopt : std::optional(leaves[0].type),
                        allowed);
  } else if (spec.kind == ArgumentSpec::Kind::kValue) {
    data = evaluate(spec.value, {&type, 1, allowed.max_bytes, allowed.limit});
  } else {
    return wrong_kind(parameter, spec, "a value");
  }
  if (!data) {
    Diagnostics errors = data.errors();
    errors[0].notes.push_back(
        fmt::format("for argument '{}' of type {}", parameter.name, text_of(type)));
    return errors;
  }
  if (!data->any_type && !is_of_type(spec.value, data->type, type))
    return argument_error(
        parameter, fmt::format("{} is expected, found {}", text_of(type), text_of(data->type)),
        fmt::format("for example '{}'", argument_template(parameter)));
  if (data->bytes.size() > type.size_bytes && data->bytes.size() == stride_bytes(type))
    data->bytes = data->bytes.first(type.size_bytes);
  if (data->bytes.size() != type.size_bytes)
    return argument_error(parameter,
                          fmt::format("{} takes {} bytes, the value has {}", text_of(type),
                                      type.size_bytes, data->bytes.size()),
                          fmt::format("for example '{}'", argument_template(parameter)));
  return BoundArgument{Argument::raw(data->bytes), nullptr};
}

/// "a 2d image", "a 2d image of DEPTH".
std::string spell(ImageDim dim, bool is_depth, bool multisampled) {
  return fmt::format("a {}{} image{}", multisampled ? "multisampled " : "", image_dim_name(dim),
                     is_depth ? " of DEPTH" : "");
}

Diagnostic wrong_image(const ParameterInfo& parameter, const ImageDescription& image) {
  const ImageParameterInfo& wanted = *parameter.image;
  const bool is_depth = image.channel_order.find("DEPTH") != std::string::npos;
  if (wanted.needs_texels)
    return argument_error(
        parameter,
        fmt::format("{} is expected ({}), found {} of {} {}, {}", wanted_image(wanted),
                    text_of(parameter.type), spell(image.dim, false, image.samples > 1),
                    image.channel_order, image.channel_type, size_text(image)),
        fmt::format("for example '{}'", argument_template(parameter)));
  return argument_error(
      parameter,
      fmt::format("{} is expected ({}), found {}",
                  spell(wanted.dim, wanted.depth, wanted.multisampled), text_of(parameter.type),
                  spell(image.dim, is_depth, image.samples > 1)),
      fmt::format("for example '{}'", argument_template(parameter)));
}

/// Binds a new image, or a declared one: `buffer NAME`.
Result<BoundArgument> bind_image(const ParameterInfo& parameter, const ArgumentSpec& spec,
                                 const BufferTable& known, const Allowance& allowed) {
  const bool is_known = spec.kind == ArgumentSpec::Kind::kBuffer && !spec.buffer.size_bytes &&
                        spec.buffer.offset_bytes == 0;
  if (spec.kind == ArgumentSpec::Kind::kNull && parameter.image->needs_texels)
    return BoundArgument{Argument::null(), nullptr};
  if (!is_known && spec.kind != ArgumentSpec::Kind::kImage)
    return wrong_kind(parameter, spec, "an image");
  auto bound = is_known ? known_buffer(spec.buffer.name, known)
                        : make_image(parameter.name, spec.image, spec.value, allowed);
  if (!bound) return bound.errors();
  if (!(*bound)->image) return wrong_kind(parameter, spec, "an image");
  const Image& image = *(*bound)->image;
  if (!takes(*parameter.image, image)) return wrong_image(parameter, image.description());
  return BoundArgument{Argument::image(image), *bound};
}

Result<BoundArgument> bind_sampler(const ParameterInfo& parameter, const ArgumentSpec& spec) {
  if (spec.kind == ArgumentSpec::Kind::kNull && parameter.binding)
    return BoundArgument{Argument::null(), nullptr};
  if (spec.kind != ArgumentSpec::Kind::kSampler) return wrong_kind(parameter, spec, "a sampler");
  return BoundArgument{Argument::sampler(spec.sampler), nullptr};
}

Result<BoundArgument> bind_queue(const ParameterInfo& parameter, const ArgumentSpec& spec,
                                 const KnownQueues& queues) {
  if (spec.kind == ArgumentSpec::Kind::kNull) return BoundArgument{Argument::null(), nullptr};
  if (spec.kind != ArgumentSpec::Kind::kQueue) return wrong_kind(parameter, spec, "a queue");
  const auto found = queues.find(spec.queue);
  if (!found) {
    const Diagnostic& error = found.errors()[0];
    return argument_error(parameter, error.message, error.help);
  }
  return BoundArgument{Argument::queue(found->handle), nullptr};
}

/// Binds a new pipe, or a declared one: `buffer NAME`.
Result<BoundArgument> bind_pipe(const ParameterInfo& parameter, const ArgumentSpec& spec,
                                const BufferTable& known, const Allowance& allowed) {
  const bool is_known = spec.kind == ArgumentSpec::Kind::kBuffer && !spec.buffer.size_bytes &&
                        spec.buffer.offset_bytes == 0;
  if (!is_known && spec.kind != ArgumentSpec::Kind::kPipe)
    return wrong_kind(parameter, spec, "a pipe");
  PipeDescription description = spec.pipe;
  // Bytes are shown as elements of the kernel's type.
  if (const auto type = packet_type_of(parameter);
      !description.type && type && type_of(*type).size_bytes == description.packet_bytes)
    description.type = type;
  auto bound = is_known ? known_buffer(spec.buffer.name, known)
                        : make_pipe(parameter.name, description, spec.value, allowed);
  if (!bound) return bound.errors();
  if (!(*bound)->pipe) return wrong_kind(parameter, spec, "a pipe");
  const Pipe& pipe = *(*bound)->pipe;
  if (!takes(*parameter.pipe, pipe))
    return argument_error(parameter,
                          fmt::format("a pipe of {} is expected ({}), found one of {}",
                                      packets_of(parameter.pipe->packet_bytes),
                                      text_of(parameter.type), packets_of(pipe.packet_bytes())),
                          fmt::format("for example '{}'", argument_template(parameter)));
  return BoundArgument{Argument::pipe(pipe), *bound};
}

/// Makes the ranges undefined, and the other bytes defined.
Status undefine(BoundBuffer& buffer, const std::vector<ByteRange>& ranges) {
  if (ranges.empty()) return Unit{};
  const std::uint64_t size = buffer.memory.bytes().size();
  for (const ByteRange& range : ranges)
    if (range.last >= size)
      return command_error(
          kBadValue, fmt::format("byte {} of '{}' is said to be undefined, which has {} bytes",
                                 range.last, buffer.name, size));
  buffer.memory.set_undefined();
  const std::span<std::byte> bits = buffer.memory.undefined_bits();
  if (bits.empty()) return Unit{};
  std::ranges::fill(bits, std::byte{0});
  for (const ByteRange& range : ranges)
    std::ranges::fill(bits.subspan(range.first, range.last - range.first + 1), std::byte{0xff});
  return Unit{};
}

/// Notes the common initial value of all elements, by which the runner finds elements that no kernel wrote.
void note_start(const ValueSpec& value, BoundBuffer& buffer) {
  using Maker = ValueSpec::Maker;
  const bool is_same = value.maker == Maker::kZero || value.maker == Maker::kUninit ||
                       (value.maker == Maker::kFill && !value.raw_bytes);
  const std::span<const std::byte> bytes = buffer.memory.bytes();
  const std::uint64_t stride = stride_bytes(buffer.type);
  // The element takes memory beside the buffer, so a large one is not kept.
  if (!is_same || stride == 0 || stride > std::min<std::uint64_t>(bytes.size(), kPieceBytes))
    return;
  buffer.start.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(stride));
}

}  // namespace

Result<BoundBufferPointer> make_buffer(const std::string& name, const ValueSpec& value,
                                       const TypeInfo* inferred, const Allowance& allowed,
                                       const RoomMaker& room) {
  if (value.maker == ValueSpec::Maker::kLiterals)
    return command_error(kBadValue, fmt::format("buffer '{}' needs contents", name),
                         "write its numbers as 'float:data:1,2,3'");
  auto data = evaluate(value, {inferred, std::nullopt, allowed.max_bytes, allowed.limit, room});
  if (!data) return data.errors();
  // A mask of undefined bytes takes as much memory again.
  if (!value.undefined.empty() &&
      data->bytes.size() > (room ? allowed.max_bytes : allowed.max_bytes / 2))
    return command_error(
        kMemoryLimit, fmt::format("buffer '{}' has {} bytes, of which is kept what is undefined: "
                                  "that needs more than the limit of {} bytes",
                                  name, data->bytes.size(), allowed.max_bytes));
  // Raw bytes are shown as elements of the kernel's type.
  if (value.raw_bytes && inferred != nullptr && inferred->size_bytes != 0) data->type = *inferred;
  data->type = with_length(std::move(data->type), data->bytes.size());
  auto made = buffer_of(name, std::move(data).value(), value.read_only, value.write_only);
  if (made && value.maker == ValueSpec::Maker::kUninit) (*made)->memory.set_undefined();
  if (made) note_start(value, **made);
  if (made)
    if (const Status known = undefine(**made, value.undefined); !known) return known.errors();
  return made;
}

Result<BoundBufferPointer> slice_buffer(const std::string& name, const BufferReference& reference,
                                        const BufferTable& known) {
  auto whole = known_buffer(reference.name, known);
  if (!whole) return whole.errors();
  if ((*whole)->pipe)
    return command_error(kBadArgument,
                         fmt::format("'{}' is a pipe, which has no slices", reference.name));
  auto memory = (*whole)->memory.slice(reference.offset_bytes, *reference.size_bytes, name);
  if (!memory) return memory.errors();
  if (reference.read_only) memory->set_read_only(true);
  if (reference.write_only) memory->set_write_only(true);
  auto bound = std::make_shared<BoundBuffer>();
  *bound = {name, (*whole)->type, (*whole)->any_type, *memory};
  return bound;
}

Result<BoundArgument> bind_argument(const ParameterInfo& parameter, const ArgumentSpec& spec,
                                    const BufferTable& known, const Allowance& allowed,
                                    const KnownQueues& queues) {
  if (parameter.is_unused) return BoundArgument{Argument::null(), nullptr};
  switch (kind_of(parameter)) {
    case ParameterKind::kValue:
      return bind_value(parameter, spec, allowed);
    case ParameterKind::kBuffer:
      return bind_buffer(parameter, spec, known, allowed);
    case ParameterKind::kLocal:
      return bind_local(parameter, spec);
    case ParameterKind::kImage:
      return bind_image(parameter, spec, known, allowed);
    case ParameterKind::kSampler:
      return bind_sampler(parameter, spec);
    case ParameterKind::kPipe:
      return bind_pipe(parameter, spec, known, allowed);
    case ParameterKind::kQueue:
      return bind_queue(parameter, spec, queues);
    case ParameterKind::kOpaque:
      break;
  }
  return command_error(kOpaqueArgument,
                       fmt::format("argument '{}' is of type {}, which is not supported",
                                   parameter.name, text_of(parameter.type)));
}

}  // namespace transpire::launch
