// Assembling: see the header. SPIRV-Tools' assembler takes some newer enumerants in old versions, so that
// the version is found from the words.
#include "decoder/view/assemble_text.h"

#include <algorithm>
#include <set>

#include "decoder/assemble.h"
#include "decoder/view/module_view.h"

namespace transpire::decoder::view {
namespace {

class VersionSearch {
 public:
  explicit VersionSearch(const ModuleView& view) : view_(view) {
    for (const std::uint32_t i : view.all(spv::Op::OpExtension))
      extensions_.insert(view.text(i, 0));
  }

  /// The oldest version that has all instructions and enumerants, as a header spells it.
  std::uint32_t oldest() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      if (view_.at(i).info) need(view_.at(i).info->needs);
      const auto operands = view_.operands(i);
      for (std::size_t n = 0; n < operands.size(); ++n)
        need_operand(operands[n].kind, view_.word(i, n));
    }
    return oldest_;
  }

 private:
  void need_operand(OperandKind kind, std::uint32_t word) {
    const Category category = category_of(kind);
    if (category == Category::kValueEnum) need_enumerant(kind, word);
    if (category == Category::kBitEnum)
      for (std::uint32_t rest = word; rest != 0; rest &= rest - 1)
        need_enumerant(kind, rest & (0u - rest));
  }

  void need_enumerant(OperandKind kind, std::uint32_t value) {
    if (const auto* info = find_enumerant(kind, value)) need(info->needs);
  }

  void need(const Requirements& needs) {
    if (needs.version == 0xffffffffu) return;
    for (const std::string_view extension : needs.extensions)
      if (extensions_.contains(extension)) return;
    oldest_ = std::max(oldest_, needs.version);
  }

  const ModuleView& view_;
  std::set<std::string, std::less<>> extensions_;
  std::uint32_t oldest_ = 0x00010000;
};

}  // namespace

Result<AssembledText> assemble_text(std::string_view text, const std::string& input_name) {
  TRANSPIRE_TRY(std::vector<std::uint32_t> words, assemble_from(0, text, input_name));
  ViewedModule module = view_module(words, text);
  if (words.size() > 1 && !says_version(text))
    words[1] = std::max(words[1], VersionSearch(module.view).oldest());
  return AssembledText{std::move(words), std::move(module)};
}

}  // namespace transpire::decoder::view
