// SPV_INTEL_memory_access_aliasing: what alias scopes are made of, and where their lists are named. Scopes promise which
// accesses touch different memory, so they change nothing about how a module runs.
#include <fmt/format.h>

#include "decoder/view/memory_operands.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_aliasing {
namespace {

using spv::Op;

constexpr ValidationRule kAliasScopes{
    "V0041", "SPV_INTEL_memory_access_aliasing, \"Modifications to the SPIR-V Specification\"",
    "an alias scope names its domain, a list names scopes, names are strings, and AliasScopeINTEL "
    "and NoAliasINTEL name a list, in memory operands as in decorations",
    "Declare domain, scope and list with OpAliasDomainDeclINTEL, OpAliasScopeDeclINTEL and "
    "OpAliasScopeListDeclINTEL, in this order; accesses name the list."};

class Aliasing {
 public:
  explicit Aliasing(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (const std::uint32_t i : view_.all(Op::OpAliasDomainDeclINTEL)) want_name(i, 0);
    for (const std::uint32_t i : view_.all(Op::OpAliasScopeDeclINTEL)) {
      want(i, 0, Op::OpAliasDomainDeclINTEL);
      want_name(i, 1);
    }
    for (const std::uint32_t i : view_.all(Op::OpAliasScopeListDeclINTEL))
      for (std::size_t n = 0; n < view_.operand_count(i); ++n)
        want(i, n, Op::OpAliasScopeDeclINTEL);
    for (const Op op : {Op::OpLoad, Op::OpStore, Op::OpCopyMemory, Op::OpCopyMemorySized})
      for (const std::uint32_t i : view_.all(op)) check_access(i);
    for (const Op op : {Op::OpDecorate, Op::OpDecorateId})
      for (const std::uint32_t i : view_.all(op)) check_decoration(i);
  }

 private:
  void want(std::uint32_t i, std::size_t n, Op wanted) {
    if (!view_.has_operand(i, n) || view_.op_of(view_.word(i, n)) == wanted) return;
    if (view_.definition(view_.word(i, n)) == kNone) return;  // UNI-04 has it
    context_.report(kAliasScopes, Place::at(i, static_cast<int>(n)),
                    fmt::format("expected the id of {}, found {}",
                                decoder::find_opcode(static_cast<std::uint32_t>(wanted))->name,
                                context_.name(view_.word(i, n))));
  }
  void want_name(std::uint32_t i, std::size_t n) { want(i, n, Op::OpString); }

  void check_access(std::uint32_t i) {
    each_memory_operand(view_, i, [&](spv::MemoryAccessMask bit, std::size_t n) {
      if (bit == spv::MemoryAccessMask::AliasScopeINTELMask ||
          bit == spv::MemoryAccessMask::NoAliasINTELMask)
        want(i, n, Op::OpAliasScopeListDeclINTEL);
    });
  }

  void check_decoration(std::uint32_t i) {
    const auto kind = static_cast<spv::Decoration>(view_.word(i, 1));
    if (kind == spv::Decoration::AliasScopeINTEL || kind == spv::Decoration::NoAliasINTEL)
      want(i, 2, Op::OpAliasScopeListDeclINTEL);
  }

  Context& context_;
  const ModuleView& view_;
};

void check(Context& context) { Aliasing(context).check(); }

constexpr const ValidationRule* kRules[] = {&kAliasScopes};

}  // namespace
}  // namespace rules_aliasing

const Family kAliasingFamily{"aliasing", rules_aliasing::kRules, rules_aliasing::check};

}  // namespace transpire::validator
