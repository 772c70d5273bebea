// See printf_formats.h.
#include "compiler/printf_formats.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>

#include "decoder/raw_instructions.h"

namespace transpire::compiler {
namespace {

using Words = std::span<const std::uint32_t>;

constexpr std::uint32_t kConstant = static_cast<std::uint32_t>(spv::StorageClass::UniformConstant);
constexpr std::uint32_t kPrintf = 184;  // of OpenCL.std
constexpr std::size_t kBoundWord = 3, kSet = 3, kNumber = 4, kFormat = 5;

spv::Op op_of(Words instruction) { return static_cast<spv::Op>(instruction[0] & 0xffff); }

bool is_printf(Words i, std::uint32_t set) {
  return op_of(i) == spv::Op::OpExtInst && i.size() > kFormat && i[kSet] == set &&
         i[kNumber] == kPrintf;
}

class Rewriter {
 public:
  explicit Rewriter(Words words) : words_(words), next_(words[kBoundWord]) {
    each([this](Words i) { learn(i); });
  }

  bool has_work() const { return has_work_; }

  std::vector<std::uint32_t> run() {
    made_.assign(words_.begin(), words_.begin() + decoder::kHeaderWords);
    bool declared = false;
    each([&](Words i) {
      if (op_of(i) == spv::Op::OpFunction && !declared) {
        declare();
        declared = true;
      }
      take(i);
    });
    made_[kBoundWord] = next_;
    return std::move(made_);
  }

 private:
  template <class Take>
  void each(Take take) {
    decoder::for_each_instruction(
        words_, [&](std::size_t at, std::size_t count) { take(words_.subspan(at, count)); });
  }

  void learn(Words i) {
    const spv::Op op = op_of(i);
    if (op == spv::Op::OpExtInstImport && i.size() > 4 && i[2] == 0x6e65704fu)
      set_ = i[1];  // "Open"
    if (op == spv::Op::OpTypeInt && i.size() == 4 && i[2] == 8) char_ = i[1];
    if (op == spv::Op::OpTypeInt && i.size() == 4 && i[2] == 32) int_ = i[1];
    if (op == spv::Op::OpConstant && i.size() == 4 && i[1] == int_ && i[3] == 0) zero_ = i[2];
    if (op == spv::Op::OpTypeArray && i.size() == 4 && i[2] == char_) arrays_.insert(i[1]);
    if (op == spv::Op::OpTypePointer && i.size() == 4 && i[2] == kConstant) {
      if (i[3] == char_) pointer_ = i[1];
      if (arrays_.contains(i[3])) to_arrays_.insert(i[1]);
    }
    if (op == spv::Op::OpVariable && i.size() > 3 && to_arrays_.contains(i[1]))
      formats_.insert(i[2]);
    has_work_ = has_work_ || (is_printf(i, set_) && formats_.contains(i[kFormat]));
  }

  void add(spv::Op op, const std::vector<std::uint32_t>& operands) {
    made_.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 |
                    static_cast<std::uint32_t>(op));
    made_.insert(made_.end(), operands.begin(), operands.end());
  }

  /// What the module lacks of the types and the constant.
  void declare() {
    if (int_ == 0) add(spv::Op::OpTypeInt, {int_ = next_++, 32, 0});
    if (zero_ == 0) {
      zero_ = next_++;
      add(spv::Op::OpConstant, {int_, zero_, 0});
    }
    if (pointer_ == 0) {
      pointer_ = next_++;
      add(spv::Op::OpTypePointer, {pointer_, kConstant, char_});
    }
  }

  void take(Words i) {
    const bool changes = is_printf(i, set_) && formats_.contains(i[kFormat]);
    if (changes) add(spv::Op::OpInBoundsAccessChain, {pointer_, next_, i[kFormat], zero_});
    const std::size_t at = made_.size();
    made_.insert(made_.end(), i.begin(), i.end());
    if (changes) made_[at + kFormat] = next_++;
  }

  Words words_;
  std::uint32_t next_;
  std::uint32_t set_ = 0, char_ = 0, int_ = 0, zero_ = 0, pointer_ = 0;
  std::set<std::uint32_t> arrays_, to_arrays_, formats_;
  bool has_work_ = false;
  std::vector<std::uint32_t> made_;
};

}  // namespace

std::vector<std::byte> with_printf_formats(std::vector<std::byte> module) {
  std::vector<std::uint32_t> words(module.size() / 4);
  if (words.size() < decoder::kHeaderWords) return module;
  std::memcpy(words.data(), module.data(), words.size() * 4);
  Rewriter rewriter(words);
  if (!rewriter.has_work()) return module;
  const std::vector<std::uint32_t> made = rewriter.run();
  const auto bytes = std::as_bytes(std::span(made));
  return {bytes.begin(), bytes.end()};
}

}  // namespace transpire::compiler
