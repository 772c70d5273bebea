// SPIR-V 1.0, 2.16.1 and 3.31: a module declares the capabilities that it uses, and the versions
// and extensions that define its opcodes and enumerants. This file has the requirements that the
// grammar's tables lack: widths and counts in type declarations.
#include <fmt/format.h>

#include <unordered_set>
#include <vector>

#include "decoder/view/capability_needs.h"
#include "decoder/view/opcode_sets.h"
#include "validator/context.h"
#include "validator/family_list.h"

namespace transpire::validator {
namespace rules_capability_use {
namespace {

using decoder::OperandKind;
using decoder::Requirements;
using spv::Capability;
using spv::Op;

constexpr ValidationRule kDeclared{"UNI-02", "SPIR-V 1.0, 2.16.1 and 3.31",
                                   "a module declares the capability of every feature that it "
                                   "uses, or one that depends on that capability",
                                   "Add the OpCapability, if the environment has that capability."};
constexpr ValidationRule kReadWriteImage{
    "UNI-02b", "SPIR-V 1.0, 2.16.1 and 3.31",
    "an image with the access qualifier ReadWrite needs the capability ImageReadWrite",
    "Add `OpCapability ImageReadWrite`, or read and write through two images."};
constexpr ValidationRule kImages{
    "V0017", "SPIR-V 1.0, 2.16.1 and 3.31, ImageBasic",
    "a kernel's image and sampler types need the capability ImageBasic",
    "Add `OpCapability ImageBasic`. Capabilities that environments provide together with it, such "
    "as LiteralSampler, do not declare it.",
    InField::kWarning};
constexpr ValidationRule kVersion{"V0005",
                                  "SPIR-V, 3.31 \"Capability\" and the tables' columns of versions",
                                  "opcodes and enumerants are of the module's version of SPIR-V, "
                                  "or of an extension that it declares",
                                  "Raise the version in the module's header, in assembly with a "
                                  "first line such as `; Version: 1.2`, or add the OpExtension.",
                                  InField::kWarning};

/// The declared capabilities and those they depend on.
class Declared {
 public:
  explicit Declared(const ModuleView& view) {
    std::vector<std::uint32_t> todo;
    for (const std::uint32_t i : view.all(Op::OpCapability)) todo.push_back(view.word(i, 0));
    while (!todo.empty()) {
      const std::uint32_t next = todo.back();
      todo.pop_back();
      if (!has_.insert(next).second) continue;
      const auto* info = decoder::find_enumerant(OperandKind::kCapability, next);
      if (!info) continue;
      for (const Capability implied : info->needs.capabilities)
        todo.push_back(static_cast<std::uint32_t>(implied));
    }
  }
  bool has(Capability capability) const {
    return has_.contains(static_cast<std::uint32_t>(capability));
  }

 private:
  std::unordered_set<std::uint32_t> has_;
};

std::string spell(std::span<const Capability> capabilities) {
  std::string text;
  for (const Capability capability : capabilities) {
    if (!text.empty()) text += " or ";
    text +=
        decoder::enumerant_name(OperandKind::kCapability, static_cast<std::uint32_t>(capability));
  }
  return text;
}

class Features {
 public:
  explicit Features(Context& context)
      : context_(context), view_(context.view), declared_(context.view) {
    for (const std::uint32_t i : view_.all(Op::OpExtension)) extensions_.insert(view_.text(i, 0));
  }

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Instruction& in = view_.at(i);
      if (in.info == nullptr) continue;
      check_opcode(i);
      check_type(i);
      check_atomic(i);
      // From SPIR-V 1.0, 3.32.11; newer grammars have it.
      if (in.op == Op::OpQuantizeToF16) want(i, Capability::Shader, in.info->name);
      const auto operands = view_.operands(i);
      for (std::size_t n = 0; n < operands.size(); ++n) check_operand(i, n, operands[n].kind);
    }
  }

 private:
  void check_opcode(std::uint32_t i) {
    const decoder::OpcodeInfo& info = *view_.at(i).info;
    const auto of_width = capability_of_float_atomic(view_, i);
    if (!of_width) return require(i, Place::kWhole, info.needs, info.name);
    if (require_version(i, Place::kWhole, info.needs, info.name) && !declared_.has(*of_width))
      missing(i, Place::kWhole, spell({&*of_width, 1}), info.name);
  }

  void check_operand(std::uint32_t i, std::size_t n, OperandKind kind) {
    const auto category = decoder::category_of(kind);
    const std::uint32_t word = view_.word(i, n);
    if (kind == OperandKind::kIdMemorySemantics) {
      check_semantics(i, n, view_.constant_value(word).value_or(0));
      return;
    }
    if (category == decoder::Category::kBitEnum) {
      for (std::uint32_t rest = word; rest != 0; rest &= rest - 1)
        check_enumerant(i, n, kind, rest & (0u - rest));
      return;
    }
    if (category != decoder::Category::kValueEnum) return;
    // A declared capability includes those it depends on, so only its version and extension are
    // checked.
    if (kind == OperandKind::kCapability) {
      if (const auto* info = decoder::find_enumerant(kind, word))
        require_version(i, static_cast<int>(n), info->needs, info->name);
      return;
    }
    check_enumerant(i, n, kind, word);
  }

  void check_enumerant(std::uint32_t i, std::size_t n, OperandKind kind, std::uint32_t value) {
    const auto* info = decoder::find_enumerant(kind, value);
    if (!info) return;
    if (kind == OperandKind::kAccessQualifier &&
        static_cast<spv::AccessQualifier>(value) == spv::AccessQualifier::ReadWrite &&
        view_.at(i).op == Op::OpTypeImage && !declared_.has(Capability::ImageReadWrite)) {
      context_.report(kReadWriteImage, Place::at(i, static_cast<int>(n)),
                      "expected the capability ImageReadWrite for an image that is ReadWrite");
      return;
    }
    // Image formats have shader capabilities, but a kernel's format needs none. A built-in's
    // capability is needed where it is used, not where a structure's member has the name.
    if (kind == OperandKind::kImageFormat && value == 0) return;
    require(i, static_cast<int>(n), info->needs, info->name);
  }

  void require(std::uint32_t i, int operand, const Requirements& needs, std::string_view what) {
    if (!require_version(i, operand, needs, what)) return;
    if (needs.capabilities.empty()) return;
    for (const Capability capability : needs.capabilities)
      if (declared_.has(capability)) return;
    missing(i, operand, spell(needs.capabilities), what);
  }

  /// Returns false if the version is too low and no extension provides it.
  bool require_version(std::uint32_t i, int operand, const Requirements& needs,
                       std::string_view what) {
    if (needs.version == 0) return true;
    const bool only_extensions = needs.version == 0xffffffffu;
    if (!only_extensions && view_.version() >= needs.version) return true;
    for (const std::string_view extension : needs.extensions)
      if (extensions_.contains(std::string(extension))) return true;
    // Only the capability distinguishes vendors' enumerants without a registered extension.
    if (needs.extensions.empty() && only_extensions) return true;
    std::string wanted;
    for (const std::string_view extension : needs.extensions)
      wanted += fmt::format("{}{}", wanted.empty() ? "" : " or ", extension);
    if (!only_extensions)
      wanted += fmt::format("{}SPIR-V {}.{}", wanted.empty() ? "" : " or ", needs.version >> 16,
                            needs.version >> 8 & 0xff);
    context_.report(kVersion, Place::at(i, operand),
                    fmt::format("expected {} for {}", wanted, what));
    return false;
  }

  /// Reports each capability once: declaring it mends all uses.
  void missing(std::uint32_t i, int operand, std::string_view capability, std::string_view what) {
    if (!missing_.emplace(capability).second && !context_.options.all) return;
    context_.report(kDeclared, Place::at(i, operand),
                    fmt::format("expected the capability {} for {}", capability, what), {},
                    fmt::format("Add `OpCapability {}` at the module's start, or do without.",
                                capability.substr(0, capability.find(' '))));
  }

  void want(std::uint32_t i, Capability capability, std::string_view what) {
    if (!declared_.has(capability)) missing(i, 0, spell({&capability, 1}), what);
  }

  /// Checks the bits of memory semantics in a constant.
  void check_semantics(std::uint32_t i, std::size_t n, std::uint64_t semantics) {
    for (auto rest = static_cast<std::uint32_t>(semantics); rest != 0; rest &= rest - 1)
      if (const auto* info =
              decoder::find_enumerant(OperandKind::kMemorySemantics, rest & (0u - rest)))
        require(i, static_cast<int>(n), info->needs, info->name);
  }

  void check_atomic(std::uint32_t i) {
    const Instruction& in = view_.at(i);
    if (!is_atomic(in.op)) return;
    const Id pointee = view_.pointee(view_.type_of(view_.word(i, 0)));
    if (view_.is_int(pointee, 64)) want(i, Capability::Int64Atomics, "atomics on 64-bit integers");
    if (in.op == Op::OpAtomicCompareExchangeWeak && view_.version() >= 0x00010400)
      context_.report(
          kVersion, Place::at(i),
          "expected OpAtomicCompareExchange, for OpAtomicCompareExchangeWeak ended with "
          "SPIR-V 1.3");
  }

  void check_type(std::uint32_t i) {
    if (const auto need = capability_of_type(view_, i)) {
      const bool is_buffer =
          need->capability == Capability::Float16 && declared_.has(Capability::Float16Buffer);
      if (!is_buffer) want(i, need->capability, need->what);
    }
    const Op op = view_.at(i).op;
    if (op != Op::OpTypeImage && op != Op::OpTypeSampler) return;
    if (declared_.has(Capability::Kernel) && !declared_.has(Capability::ImageBasic))
      context_.report(
          kImages, Place::at(i),
          fmt::format("expected the capability ImageBasic for {}", view_.at(i).info->name));
  }

  Context& context_;
  const ModuleView& view_;
  Declared declared_;
  std::set<std::string, std::less<>> missing_;  ///< already reported
  std::unordered_set<std::string> extensions_;
};

void check(Context& context) { Features(context).check(); }

constexpr const ValidationRule* kRules[] = {&kDeclared, &kReadWriteImage, &kImages, &kVersion};

}  // namespace
}  // namespace rules_capability_use

const Family kCapabilityUseFamily{"capability-use", rules_capability_use::kRules,
                                  rules_capability_use::check};

}  // namespace transpire::validator
