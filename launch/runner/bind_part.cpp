#include "launch/runner/bind_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/checked.h"
#include "launch/language/block_part.h"
#include "launch/language/parameters.h"
#include "launch/report/diagnose.h"
#include "launch/runner/type_match.h"

namespace transpire::launch {
namespace {

using Maker = ValueSpec::Maker;

/// Where a value goes.
struct Place {
  TypeInfo type{};  ///< kOther: push constants, at an offset where no member begins
  std::uint64_t offset_bytes = 0;
  bool is_open = false;  ///< as many bytes as the value has
};

bool is_offset(std::string_view part) {
  return !part.empty() && part.size() < 10 &&
         part.find_first_not_of("0123456789") == std::string_view::npos;
}

Place place_at_offset(const TypeInfo& block, std::uint64_t offset) {
  for (std::uint64_t i = 0; i < member_count(block); ++i)
    if (const Member each = member(block, i); each.offset_bytes == offset)
      return {*each.type, offset, true};
  return {{}, offset, true};
}

Result<Place> place_of(const ParameterInfo& parameter, const std::string& part) {
  const TypeInfo* const block = pointee_of(parameter);
  if (block == nullptr || parameter.holds_array)
    return command_error(kBadArgument, fmt::format("'{}' has no members", parameter.name));
  if (parameter.by_value_struct && is_offset(part))
    return place_at_offset(*block, std::stoul(part));
  auto found = part_of(*block, path_in(*block, parameter.name, part));
  if (!found) return found.errors();
  const bool is_open = found->type.kind == TypeInfo::Kind::kArray && is_open_ended(found->type);
  return Place{std::move(found->type), found->offset_bytes, is_open};
}

/// Type of one element of the value: an array is given as one list, or by its elements.
TypeInfo element_of(const TypeInfo& type, const ValueSpec& value) {
  if (type.kind != TypeInfo::Kind::kArray || type.elements.empty()) return type;
  const bool is_one_list = value.maker == Maker::kLiterals && value.literals.size() == 1 &&
                           value.literals[0].is_list && type.count != 0;
  if (is_one_list) return type;
  TypeInfo element = type.elements[0];
  if (type.count != 0) element.align_bytes = type.size_bytes / type.count;
  return element;
}

Result<TypedBytes> bytes_for(const Place& place, const ParameterInfo& parameter,
                             const ArgumentSpec& spec, const Allowance& allowed) {
  if (spec.kind != ArgumentSpec::Kind::kValue)
    return command_error(kBadArgument, fmt::format("'{}' is a part of '{}', which takes numbers",
                                                   spec.target, parameter.name));
  const bool has_type = place.type.kind != TypeInfo::Kind::kOther;
  const TypeInfo element = element_of(place.type, spec.value);
  ValueContext context{has_type ? &element : nullptr, 1, allowed.max_bytes, allowed.limit};
  if (place.type.kind == TypeInfo::Kind::kArray && place.type.count != 0)
    context.count = place.type.count;
  auto data = evaluate(spec.value, context);
  if (!data) return data;
  const bool is_in_push = parameter.by_value_struct && place.is_open;
  if (has_type && !is_in_push && !data->any_type && !may_hold(element, data->type))
    return command_error(kBadArgument,
                         fmt::format("'{}' is of type {}, the value of type {}", spec.target,
                                     text_of(place.type), text_of(data->type)));
  const std::uint64_t size = place.type.size_bytes;
  // The last element's room may be shorter than the stride, and a vector of three is not four.
  if (!place.is_open && data->bytes.size() > size &&
      data->bytes.size() - size < stride_bytes(data->type))
    data->bytes = data->bytes.first(size);
  if (!place.is_open && data->bytes.size() != size)
    return command_error(
        kBadArgument, fmt::format("'{}' of type {} takes {} bytes, the value has {}", spec.target,
                                  text_of(place.type), size, data->bytes.size()));
  return data;
}

Status check_limit(const ParameterInfo& parameter, std::uint64_t size, const Allowance& allowed) {
  if (size <= allowed.max_bytes) return Unit{};
  return command_error(kMemoryLimit, fmt::format("'{}' needs {} bytes, more than the limit of {}",
                                                 parameter.name, size, allowed.max_bytes));
}

Status write_value(const ParameterInfo& parameter, const Place& place,
                   std::span<const std::byte> bytes, const Allowance& allowed,
                   BoundArgument& bound) {
  const std::uint64_t size = pointee_of(parameter)->size_bytes;
  if (Status fits = check_limit(parameter, size, allowed); !fits) return fits;
  if (bound.argument.kind == Argument::Kind::kUnset)
    bound.argument = Argument::raw(std::vector<std::byte>(size));
  if (place.offset_bytes > size || bytes.size() > size - place.offset_bytes)
    return command_error(
        kBadArgument, fmt::format("bytes {} to {} are beyond the push constants, which have {}",
                                  place.offset_bytes, place.offset_bytes + bytes.size() - 1, size));
  std::ranges::copy(bytes,
                    bound.argument.bytes.begin() + static_cast<std::ptrdiff_t>(place.offset_bytes));
  return Unit{};
}

/// Makes the buffer, or one of another size with the same content.
Status make_room(const ParameterInfo& parameter, std::uint64_t size, const Allowance& allowed,
                 BoundArgument& bound) {
  if (Status fits = check_limit(parameter, size, allowed); !fits) return fits;
  auto memory = Buffer::create(size, parameter.name);
  if (!memory) return memory.errors();
  if (bound.buffer != nullptr) {
    const auto old = bound.buffer->memory.bytes();
    std::ranges::copy(old.first(std::min<std::uint64_t>(old.size(), size)),
                      memory->bytes().begin());
  }
  auto made = std::make_shared<BoundBuffer>();
  made->name = parameter.name;
  made->type = with_length(*pointee_of(parameter), size);
  made->memory = *memory;
  bound = {Argument::buffer(*memory), std::move(made)};
  return Unit{};
}

/// Bytes of memory that nobody wrote are undefined.
Status mark(Buffer memory, const Place& place, std::uint64_t size, bool is_defined) {
  if (is_defined) return memory.set_defined(place.offset_bytes, size);
  if (memory.undefined_bits().empty()) {
    memory.set_undefined();
    std::ranges::fill(memory.undefined_bits(), std::byte{0});
  }
  std::ranges::fill(memory.undefined_bits().subspan(place.offset_bytes, size), std::byte{0xff});
  return Unit{};
}

Status write_buffer(const ParameterInfo& parameter, const Place& place, const TypedBytes& data,
                    bool is_shared, const Allowance& allowed, BoundArgument& bound) {
  const Checked end = Checked(place.offset_bytes) + data.bytes.size();
  const std::uint64_t size =
      place.is_open || bound.buffer == nullptr
          ? std::max(end.value(), place.is_open ? 0 : pointee_of(parameter)->size_bytes)
          : bound.buffer->memory.bytes().size();
  const bool has_room = bound.buffer != nullptr && bound.buffer->memory.bytes().size() == size;
  if (!has_room && is_shared)
    return command_error(kBadArgument,
                         fmt::format("the run-time array of '{}' has another length: the buffer is "
                                     "declared, and keeps its size",
                                     parameter.name));
  if (!has_room)
    if (Status made = make_room(parameter, size, allowed, bound); !made) return made;
  if (end.value() > size)
    return command_error(kBadArgument,
                         fmt::format("buffer '{}' ends within its block", parameter.name));
  std::ranges::copy(data.bytes, bound.buffer->memory.bytes().begin() +
                                    static_cast<std::ptrdiff_t>(place.offset_bytes));
  return Unit{};
}

}  // namespace

std::string implied_part(const ParameterInfo& parameter, const ArgumentSpec& spec) {
  const TypeInfo* const block = pointee_of(parameter);
  const bool is_for_block = spec.form == ArgumentSpec::Form::kBinding &&
                            spec.kind == ArgumentSpec::Kind::kValue && block != nullptr &&
                            !parameter.holds_array && block->kind == TypeInfo::Kind::kStruct;
  if (!is_for_block || spec.value.any_type || block->elements.size() != 1) return {};
  const std::vector<Literal>& literals = spec.value.literals;
  const bool is_block = spec.value.maker == Maker::kLiterals && literals.size() == 1 &&
                        literals[0].is_list && literals[0].items.size() == 1;
  if (is_block) return {};
  const std::string_view name = member(*block, 0).name;
  return name.empty() ? "0" : std::string(name);
}

Status bind_part(const ParameterInfo& parameter, const std::string& part, const ArgumentSpec& spec,
                 bool is_shared, const Allowance& allowed, BoundArgument& bound) {
  const auto place = place_of(parameter, part);
  if (!place) return place.errors();
  if (!parameter.by_value_struct && bound.argument.kind != Argument::Kind::kUnset &&
      bound.buffer == nullptr)
    return command_error(kBadArgument, fmt::format("'{}' has no buffer that has the part '{}'",
                                                   parameter.name, part));
  const auto data = bytes_for(*place, parameter, spec, allowed);
  if (!data) {
    Diagnostics errors = data.errors();
    errors[0].notes.push_back(fmt::format("for '{}' of '{}'", part, parameter.name));
    return errors;
  }
  if (parameter.by_value_struct) {
    // A script pushes a buffer that may be longer than the block.
    const std::uint64_t size = pointee_of(parameter)->size_bytes;
    const bool is_cut = spec.may_be_unused && place->offset_bytes == 0;
    const auto bytes =
        std::span<const std::byte>(data->bytes)
            .first(is_cut ? std::min<std::size_t>(size, data->bytes.size()) : data->bytes.size());
    return write_value(parameter, *place, bytes, allowed, bound);
  }
  if (Status written = write_buffer(parameter, *place, *data, is_shared, allowed, bound); !written)
    return written;
  return mark(bound.buffer->memory, *place, data->bytes.size(), spec.value.maker != Maker::kUninit);
}

}  // namespace transpire::launch
