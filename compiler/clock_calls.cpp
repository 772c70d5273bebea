#include "compiler/clock_calls.h"

#include <cstdint>
#include <cstring>
#include <set>

#include "compiler/module_words.h"

namespace transpire::compiler {
namespace {

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

class ClockRewriter {
 public:
  ClockRewriter(Words words, std::uint32_t function) : words_(words), function_(function) {
    bool within = false;
    each_instruction(words_, [&](Words i) {
      if (op_of(i) == spv::Op::OpFunction) within = i[2] == function_;
      if (within && i.size() > 2) gone_.insert(i[2]);  // the function and its parameters
    });
  }

  std::vector<std::uint32_t> run() {
    made_.assign(words_.begin(), words_.begin() + decoder::kHeaderWords);
    add(spv::Op::OpCapability, {static_cast<std::uint32_t>(spv::Capability::ShaderClockKHR)});
    each_instruction(words_, [this](Words i) { take(i); });
    return std::move(made_);
  }

 private:
  void add(spv::Op op, const std::vector<std::uint32_t>& operands) { append(made_, op, operands); }

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
  const std::vector<std::uint32_t> words = words_of(module);
  if (words.size() < decoder::kHeaderWords) return module;
  const bool whole = each_instruction(words, [](Words) {});
  const std::uint32_t function = whole ? find_import(words) : 0;
  if (function == 0) return module;
  return bytes_of(ClockRewriter(words, function).run());
}

}  // namespace transpire::compiler
