#include "launch/language/block_part.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "launch/language/layout.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

bool is_runtime_array(const TypeInfo& type) {
  return type.kind == TypeInfo::Kind::kArray && type.count == 0 && !type.elements.empty();
}

std::optional<std::uint64_t> index_in(std::string_view word) {
  std::uint64_t index = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (error != std::errc{} || stop != word.data() + word.size()) return std::nullopt;
  return index;
}

/// The member of that name, or else of that index. Fails with C0003.
Result<Member> member_at(const TypeInfo& type, std::string_view word) {
  const std::uint64_t count = member_count(type);
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < count && type.kind == TypeInfo::Kind::kStruct; ++i) {
    if (type.member_names.size() > i && type.member_names[i] == word) return member(type, i);
    if (const std::string_view name = member(type, i).name; !name.empty()) names.emplace_back(name);
  }
  if (const auto index = index_in(word); index && *index < count) return member(type, *index);
  if (type.kind == TypeInfo::Kind::kStruct)
    return command_error(kBadArgument, fmt::format("{} has no member '{}'", text_of(type), word),
                         suggestion(std::string(word), names, "members"));
  return command_error(kBadArgument, fmt::format("{} has no element '{}'", text_of(type), word),
                       count == 0 ? "" : fmt::format("its elements are '0' to '{}'", count - 1));
}

}  // namespace

Result<BlockPart> part_of(const TypeInfo& type, std::string_view path) {
  const TypeInfo* at = &type;
  std::uint64_t offset = 0;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const auto inner = member_at(*at, path.substr(0, dot));
    if (!inner) return inner.errors();
    at = inner->type;
    offset += inner->offset_bytes;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return BlockPart{*at, offset};
}

std::string path_in(const TypeInfo& block, std::string_view name, const std::string& path) {
  const bool is_called_so = block.kind == TypeInfo::Kind::kStruct && block.elements.size() == 1 &&
                            member(block, 0).name == name && !name.empty();
  if (!is_called_so || path == name || path.starts_with(fmt::format("{}.", name))) return path;
  return fmt::format("{}.{}", name, path);
}

bool is_open_ended(const TypeInfo& type) {
  if (is_runtime_array(type)) return true;
  return type.kind == TypeInfo::Kind::kStruct && !type.elements.empty() &&
         is_runtime_array(type.elements.back()) &&
         type.member_offsets.size() == type.elements.size();
}

TypeInfo with_length(TypeInfo type, std::uint64_t size_bytes) {
  if (!is_open_ended(type)) return type;
  const bool is_block = type.kind == TypeInfo::Kind::kStruct;
  const std::uint64_t start = is_block ? type.member_offsets.back() : 0;
  TypeInfo& array = is_block ? type.elements.back() : type;
  const std::uint64_t stride = stride_bytes(array.elements[0]);
  array.count = size_bytes < start ? 0 : (size_bytes - start) / stride;
  array.size_bytes = array.count * stride;
  if (is_block) type.size_bytes = size_bytes;
  if (is_block) type.align_bytes = 1;
  return type;
}

}  // namespace transpire::launch
