// See printf_formats.h.
#include "compiler/printf_formats.h"

#include <cstdint>
#include <set>

#include "compiler/module_words.h"
#include "decoder/module.h"

namespace transpire::compiler {
namespace {

constexpr std::uint32_t kConstant = static_cast<std::uint32_t>(spv::StorageClass::UniformConstant);
constexpr std::size_t kBoundWord = 3, kSet = 3, kNumber = 4, kFormat = 5;

bool is_printf(Words i, std::uint32_t set) {
  return op_of(i) == spv::Op::OpExtInst && i.size() > kFormat && i[kSet] == set &&
         decoder::ext_inst_name(decoder::ExtendedSet::kOpenCLStd, i[kNumber]) == "printf";
}

class FormatRewriter {
 public:
  explicit FormatRewriter(Words words) : words_(words), next_(words[kBoundWord]) {
    each_instruction(words_, [this](Words i) { learn(i); });
  }

  bool has_work() const { return has_work_; }

  std::vector<std::uint32_t> run() {
    made_.assign(words_.begin(), words_.begin() + decoder::kHeaderWords);
    bool declared = false;
    each_instruction(words_, [&](Words i) {
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
  void learn(Words i) {
    const spv::Op op = op_of(i);
    if (op == spv::Op::OpExtInstImport && i.size() > 2 &&
        decoder::extended_set_named(text_of(i.subspan(2))) == decoder::ExtendedSet::kOpenCLStd)
      set_ = i[1];
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

  void add(spv::Op op, const std::vector<std::uint32_t>& operands) { append(made_, op, operands); }

  /// Declares the missing types and the constant.
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
  const std::vector<std::uint32_t> words = words_of(module);
  if (words.size() < decoder::kHeaderWords) return module;
  FormatRewriter rewriter(words);
  if (!rewriter.has_work()) return module;
  return bytes_of(rewriter.run());
}

}  // namespace transpire::compiler
