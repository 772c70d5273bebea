// Parts of a shader's block: members by names or indices, elements of arrays by indices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "transpire/result.hpp"
#include "transpire/transpire.hpp"

namespace transpire::launch {

/// A member of a block, or a part of one.
struct BlockPart {
  TypeInfo type{};
  std::uint64_t offset_bytes = 0;
};

/// The part at a path such as "scale", "lights.2.at" or "0.1"; an empty path is all of it. A run-time array has the length of `type`,
/// see with_length(). Fails with C0003.
Result<BlockPart> part_of(const TypeInfo& type, std::string_view path);

/// The path within a block of a resource: a block may be called by its only member, whose parts need not repeat the name.
std::string path_in(const TypeInfo& block, std::string_view name, const std::string& path);

/// True if the type ends with a run-time array, whose length the module does not say.
bool is_open_ended(const TypeInfo& type);

/// The type, with so many elements of its run-time array as `size_bytes` have room for. Other types stay as they are.
TypeInfo with_length(TypeInfo type, std::uint64_t size_bytes);

}  // namespace transpire::launch
