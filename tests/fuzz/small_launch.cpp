#include "tests/fuzz/small_launch.h"

#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

namespace transpire::fuzz {
namespace {

constexpr std::uint64_t kBufferBytes = 256;
constexpr std::uint64_t kMaxValueBytes = 1 << 16;
constexpr std::uint64_t kMaxSteps = 300;

void fill(std::span<std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 % 5);
}

/// An argument that fits the parameter, or nothing.
std::optional<Argument> argument_for(const ParameterInfo& parameter) {
  const TypeInfo& type = parameter.type;
  if (type.kind == TypeInfo::Kind::kPointer && !parameter.by_value_struct) {
    if (type.address_space == "local") return Argument::local(64);
    const Result<Buffer> buffer = Buffer::create(kBufferBytes, parameter.name);
    require(buffer.ok(), "a small buffer was refused");
    fill(buffer->bytes());
    return Argument::buffer(*buffer);
  }
  const bool is_pointee = type.kind == TypeInfo::Kind::kPointer && !type.elements.empty();
  const std::uint64_t size = is_pointee ? type.elements[0].size_bytes : type.size_bytes;
  if (size > kMaxValueBytes) return std::nullopt;
  std::vector<std::byte> bytes(size);
  fill(bytes);
  return Argument::raw(bytes);
}

}  // namespace

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::optional<Launch> small_launch(const Module& module, const KernelInfo& kernel) {
  Launch launch(module, kernel.name);
  for (const ParameterInfo& parameter : kernel.parameters) {
    std::optional<Argument> argument = argument_for(parameter);
    if (!argument) return std::nullopt;
    launch.arguments.push_back(std::move(*argument));
  }
  launch.limits.max_steps = kMaxSteps;
  launch.limits.max_findings = 20;
  launch.limits.max_memory_bytes = 256u << 20;
  launch.limits.max_printf_bytes = 1 << 12;
  launch.check_ub = true;
  return launch;
}

}  // namespace transpire::fuzz
