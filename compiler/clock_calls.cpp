#include "compiler/clock_calls.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>

#include "decoder/raw_instructions.h"

namespace transpire::compiler {
namespace {

using Words = std::span<const std::uint32_t>;

using decoder::kHeaderWords;

spv::Op op_of(Words instruction) { return static_cast<spv::Op>(instruction[0] & 0xffff); }

/// Calls `take` with every instruction; false when their word counts do not add up.
template <class Take>
bool each_instruction(Words words, Take take) {
  return decoder::for_each_instruction(
      words, [&](std::size_t at, std::size_t count) { take(words.subspan(at, count)); });
}

std::string_view text_of(Words words) {
  const auto* const text = reinterpret_cast<const char*>(words.data());
  return {text, strnlen(text, words.size() * 4)};
}

/// The imported function; 0 when there is none.
std::uint32_t find_import(Words words) {
  std::uint32_t found = 0;
  each_instruction(words, [&found](Words i) {
    if (op_of(i) == spv::Op::OpDecorate && i.size() > 4 &&
        i[2] == static_cast<std::uint32_t>(spv::Decoration::LinkageAttributes) &&
        text_of(i.subspan(3)) == "_Z20__spirv_ReadClockKHRi")
      found = i[1];
  });
  return found;
}

class Rewriter {
 public:
  Rewriter(Words words, std::uint32_t function) : words_(words), function_(function) {
    bool within = false;
    each_instruction(words_, [&](Words i) {
      if (op_of(i) == spv::Op::OpFunction) within = i[2] == function_;
      if (within && i.size() > 2) gone_.insert(i[2]);  // the function and its parameters
    });
  }

  std::vector<std::uint32_t> run() {
    made_.assign(words_.begin(), words_.begin() + kHeaderWords);
    add(spv::Op::OpCapability, {static_cast<std::uint32_t>(spv::Capability::ShaderClockKHR)});
    each_instruction(words_, [this](Words i) { take(i); });
    return std::move(made_);
  }

 private:
  void add(spv::Op op, const std::vector<std::uint32_t>& operands) {
    made_.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 |
                    static_cast<std::uint32_t>(op));
    made_.insert(made_.end(), operands.begin(), operands.end());
  }

  void take(Words i) {
    const spv::Op op = op_of(i);
    if (op != spv::Op::OpCapability && !extension_added_) {
      extension_added_ = true;
      constexpr char kName[24] = "SPV_KHR_shader_clock";
      std::vector<std::uint32_t> name(sizeof kName / 4);
      std::memcpy(name.data(), kName, sizeof kName);
      add(spv::Op::OpExtension, name);
    }
    if (op == spv::Op::OpFunction) skipping_ = i[2] == function_;
    const bool skipped = skipping_;
    if (op == spv::Op::OpFunctionEnd) skipping_ = false;
    if (skipped) return;
    const bool names_target = op == spv::Op::OpName || op == spv::Op::OpDecorate;
    if (names_target && i.size() > 1 && gone_.contains(i[1])) return;
    if (op == spv::Op::OpFunctionCall && i.size() == 5 && i[3] == function_)
      return add(spv::Op::OpReadClockKHR, {i[1], i[2], i[4]});
    if (op != spv::Op::OpGroupDecorate) {
      made_.insert(made_.end(), i.begin(), i.end());
      return;
    }
    std::vector<std::uint32_t> targets;
    for (const std::uint32_t id : i.subspan(1))
      if (!gone_.contains(id)) targets.push_back(id);
    add(op, targets);
  }

  Words words_;
  std::uint32_t function_;
  std::set<std::uint32_t> gone_;
  std::vector<std::uint32_t> made_;
  bool extension_added_ = false, skipping_ = false;
};

}  // namespace

std::vector<std::byte> with_clock_instructions(std::vector<std::byte> module) {
  std::vector<std::uint32_t> words(module.size() / 4);
  if (words.size() < kHeaderWords) return module;
  std::memcpy(words.data(), module.data(), words.size() * 4);
  const bool whole = each_instruction(words, [](Words) {});
  const std::uint32_t function = whole ? find_import(words) : 0;
  if (function == 0) return module;
  const std::vector<std::uint32_t> made = Rewriter(words, function).run();
  const auto bytes = std::as_bytes(std::span(made));
  return {bytes.begin(), bytes.end()};
}

}  // namespace transpire::compiler
