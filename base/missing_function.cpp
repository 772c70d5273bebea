#include "base/missing_function.h"

#include <fmt/format.h>

namespace transpire {
namespace {

/// The name in a mangled symbol, "mem_fence" in "_Z9mem_fencej"; a symbol of SPIR-V's friendly names as it is; else empty.
std::string_view builtin_name(std::string_view symbol) {
  constexpr std::string_view kMangled = "_Z", kFriendly = "__spirv_";
  std::string_view name = symbol;
  if (name.starts_with(kMangled)) {
    name.remove_prefix(kMangled.size());
    std::size_t length = 0;
    while (!name.empty() && name[0] >= '0' && name[0] <= '9' && length < symbol.size()) {
      length = length * 10 + static_cast<std::size_t>(name[0] - '0');
      name.remove_prefix(1);
    }
    return name.substr(0, length);
  }
  return name.starts_with(kFriendly) ? name : std::string_view{};
}

}  // namespace

std::string missing_function_help(std::string_view symbol, std::string_view linking) {
  const std::string_view name = builtin_name(symbol);
  if (name.empty()) return std::string(linking);
  return fmt::format(
      "if '{}' is a built-in function, the compiler does not know it: clang with llvm-spirv knows "
      "more of them than clang alone (docs/compilers.md). Otherwise {}",
      name, linking);
}

}  // namespace transpire
