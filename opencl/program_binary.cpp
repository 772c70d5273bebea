// Program binaries, and specialisation: SPIR-V words in, SPIR-V words out.
#include <fmt/format.h>

#include <cstring>
#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>

#include "compiler/compiled_module.h"
#include "opencl/program.h"

namespace transpire::opencl {
namespace {

constexpr std::string_view kMark = "TRSPPROG";
constexpr std::size_t kHeadBytes = 16;

/// Overwrites a constant's literal, whose width is that of its words.
void overwrite(std::uint32_t* words, std::uint32_t count, std::uint64_t bits) {
  switch (static_cast<spv::Op>(words[0] & 0xffff)) {
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse: {
      const auto op = bits != 0 ? spv::Op::OpSpecConstantTrue : spv::Op::OpSpecConstantFalse;
      words[0] = (words[0] & 0xffff0000u) | static_cast<std::uint32_t>(op);
      return;
    }
    case spv::Op::OpSpecConstant:
      if (count > 3) words[3] = static_cast<std::uint32_t>(bits);
      if (count > 4) words[4] = static_cast<std::uint32_t>(bits >> 32);
      return;
    default:
      return;
  }
}

}  // namespace

std::size_t find_source(std::string_view name) {
  return name.ends_with('>') ? name.rfind("<source") : name.npos;
}

Binary read_binary(std::span<const std::byte> bytes) {
  const bool has_head =
      bytes.size() >= kHeadBytes && std::memcmp(bytes.data(), kMark.data(), kMark.size()) == 0;
  if (!has_head) return {CL_PROGRAM_BINARY_TYPE_EXECUTABLE, bytes};
  cl_program_binary_type type = 0;
  std::memcpy(&type, bytes.data() + kMark.size(), sizeof type);
  return {type, bytes.subspan(kHeadBytes)};
}

std::vector<std::byte> make_binary(cl_program_binary_type type, std::span<const std::byte> module) {
  std::vector<std::byte> binary;
  if (type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
    binary.resize(kHeadBytes);
    std::memcpy(binary.data(), kMark.data(), kMark.size());
    std::memcpy(binary.data() + kMark.size(), &type, sizeof type);
  }
  binary.insert(binary.end(), module.begin(), module.end());
  return binary;
}

std::vector<std::byte> named_after(std::span<const std::byte> module, const std::string& program) {
  return compiler::rename_files(module, [&](std::string_view name) {
    if (find_source(name) == name.npos) return std::string(name);
    const std::string_view binary = std::string_view(program).substr(1);  // without '<', with '>'
    return fmt::format("{} of {}", name.substr(0, name.size() - 1), binary);
  });
}

std::vector<std::byte> specialised(std::span<const std::uint32_t> words,
                                   const std::map<cl_uint, std::uint64_t>& values) {
  std::vector<std::uint32_t> copy(words.begin(), words.end());
  std::unordered_map<std::uint32_t, std::uint64_t> bits_of_id;
  // Decorations stand before constants. The module was decoded, so its instructions are complete.
  for (std::size_t at = 5; at < copy.size() && !values.empty(); at += copy[at] >> 16) {
    const std::uint32_t count = copy[at] >> 16;
    const auto op = static_cast<spv::Op>(copy[at] & 0xffff);
    if (op == spv::Op::OpDecorate && count == 4 &&
        copy[at + 2] == static_cast<std::uint32_t>(spv::Decoration::SpecId)) {
      if (const auto value = values.find(copy[at + 3]); value != values.end())
        bits_of_id[copy[at + 1]] = value->second;
    } else if (count > 2) {
      const bool constant = op == spv::Op::OpSpecConstant || op == spv::Op::OpSpecConstantTrue ||
                            op == spv::Op::OpSpecConstantFalse;
      const auto bits = constant ? bits_of_id.find(copy[at + 2]) : bits_of_id.end();
      if (bits != bits_of_id.end()) overwrite(&copy[at], count, bits->second);
    }
  }
  const auto bytes = std::as_bytes(std::span(copy));
  return {bytes.begin(), bytes.end()};
}

}  // namespace transpire::opencl
