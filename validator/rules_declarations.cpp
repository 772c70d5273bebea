// SPIR-V 1.0, 2.8, 2.16.1 "Data rules", 3.32.6 and 3.32.7: operands of type declarations and
// constants.
#include <fmt/format.h>

#include <unordered_map>

#include "base/counted.h"
#include "decoder/opaque_types.h"
#include "decoder/view/opcode_sets.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"

namespace transpire::validator {
namespace rules_declarations {
namespace {

using spv::Op;

constexpr ValidationRule kUniqueTypes{
    "UNI-03", "SPIR-V 1.0, 2.8 and 2.16.1",
    "a type that is no aggregate and no pointer is declared once",
    "Use the first declaration's id everywhere. Arrays and structures may be repeated, because "
    "decorations may distinguish them; so may pointers from SPIR-V 1.3 on."};
constexpr ValidationRule kUniquePointers{
    "V0018", "SPIR-V 1.0 and 1.3, 2.8 and 2.16.1",
    "before SPIR-V 1.3, and without SPV_KHR_variable_pointers, a pointer type is declared once",
    "Use the first declaration's id everywhere. A pointer is no aggregate, and only later versions "
    "let decorations distinguish two pointer types with equal operands. Producers repeat pointers "
    "that OpTypeForwardPointer announced.",
    InField::kWarning};
constexpr ValidationRule kMatrix{"UNI-14", "SPIR-V 1.0, 2.16.1",
                                 "a matrix has 2 to 4 columns, which are vectors of floats",
                                 "OpenCL environments have no matrices: use arrays of vectors."};
constexpr ValidationRule kSpecialization{
    "UNI-15",
    "SPIR-V 1.0, 2.16.1 and 3.32.7",
    "specialization constants are scalars and vectors, and composites of them",
    "Section 2.16.1 limits them to scalars and vectors, but 3.32.7 defines OpSpecConstantComposite "
    "for all composites. Composites are accepted.",
    InField::kError,
    Severity::kError,
    RuleKind::kAccepts};

constexpr ValidationRule kConstituents{
    "V0012", "SPIR-V 1.0, 3.32.7 \"Constant-Creation Instructions\", OpConstantComposite",
    "the constituents of a constant are constants; the address of a variable or a function is none",
    "Store the addresses when the kernel starts. Producers initialise tables of pointers with such "
    "constants.",
    InField::kWarning};
constexpr ValidationRule kHighBits{
    "V0013", "SPIR-V 1.0, 2.2.1 \"Instructions\", Literal Number",
    "the bits of a literal's last word that its type does not have are 0, or copies of the sign "
    "where the type is signed",
    "Clear the high-order bits: the word of an 8-bit 255 is 0x000000ff.", InField::kWarning};

class Declarations {
 public:
  explicit Declarations(Context& context) : context_(context), view_(context.view) {}

  void check() {
    pointers_repeat_ = may_repeat_pointers();
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Op op = view_.at(i).op;
      if (is_type_declaration(op)) {
        check_type(i);
        check_unique(i);
      } else if (is_constant(op) || op == Op::OpUndef) {
        check_constant(i);
      } else if (op == Op::OpSwitch) {
        check_cases(i);
      }
    }
  }

 private:
  void check_type(std::uint32_t i);
  void check_array(std::uint32_t i);
  void check_unique(std::uint32_t i);
  bool may_repeat_pointers() const;
  void check_constant(std::uint32_t i);
  void check_composite(std::uint32_t i);
  void check_cases(std::uint32_t i);
  void check_literal(std::uint32_t i, std::size_t n, Id type);
  bool may_be_null(Id type);

  void want(std::uint32_t i, int operand, bool good, std::string_view wanted,
            const std::string& found) {
    if (!good)
      context_.report(kOperandTypes, Place::at(i, operand),
                      fmt::format("expected {}, found {}", wanted, found));
  }
  /// Checks an operand that must be a type.
  void want_type(std::uint32_t i, std::size_t n, bool may_be_void) {
    const Id id = view_.word(i, n);
    const bool good = view_.is_type(id) && (may_be_void || view_.op_of(id) != Op::OpTypeVoid);
    want(i, static_cast<int>(n), good, may_be_void ? "a type" : "a type other than void",
         view_.is_type(id) ? context_.type(id) : context_.name(id));
  }
  void want_result(std::uint32_t i, bool good, std::string_view wanted) {
    want(i, Place::kType, good, wanted, context_.type(view_.at(i).type_id));
  }

  Context& context_;
  const ModuleView& view_;
  std::unordered_map<std::u32string, std::uint32_t> declared_;  ///< key: all words but the result
  bool pointers_repeat_ = false;  ///< two pointer types may have the same operands
};

void Declarations::check_type(std::uint32_t i) {
  switch (view_.at(i).op) {
    case Op::OpTypeVector:
      want_type(i, 0, false);
      break;
    case Op::OpTypeMatrix: {
      const Id column = view_.word(i, 0);
      const std::uint32_t count = view_.word(i, 1);
      if (!is_vector(view_, column) || !view_.is_float(view_.component_type(column)) || count < 2 ||
          count > 4)
        context_.report(kMatrix, Place::at(i),
                        fmt::format("expected 2 to 4 columns of floats, found {} of {}", count,
                                    context_.type(column)));
      break;
    }
    case Op::OpTypeImage:
      want_type(i, 0, true);
      break;
    case Op::OpTypeSampledImage:
      want(i, 0, view_.op_of(view_.word(i, 0)) == Op::OpTypeImage, "an image type",
           context_.type(view_.word(i, 0)));
      break;
    case Op::OpTypeArray:
      check_array(i);
      break;
    case Op::OpTypeRuntimeArray:
      want_type(i, 0, false);
      break;
    case Op::OpTypeStruct:
      for (std::size_t n = 0; n < view_.operand_count(i); ++n) want_type(i, n, false);
      break;
    case Op::OpTypePointer:
      want_type(i, 1, true);
      break;
    case Op::OpTypeFunction:
      for (std::size_t n = 0; n < view_.operand_count(i); ++n) want_type(i, n, n == 0);
      break;
    default:
      break;
  }
}

void Declarations::check_array(std::uint32_t i) {
  want_type(i, 0, false);
  const Id length = view_.word(i, 1);
  const bool constant = is_constant(view_.op_of(length)) && view_.is_int(view_.type_of(length));
  want(i, 1, constant, "an integer constant as the length", context_.name(length));
  want(i, 1, !constant || view_.constant_value(length).value_or(1) != 0, "a length of at least 1",
       "0");
}

void Declarations::check_unique(std::uint32_t i) {
  const Instruction& in = view_.at(i);
  switch (in.op) {
    case Op::OpTypeStruct:
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
      return;
    default:
      break;
  }
  if (in.word_count < 2 || (is_pointer(view_, in.result_id) && pointers_repeat_)) return;
  std::u32string key;
  for (std::uint32_t w = 0; w < in.word_count; ++w)
    if (w != 1) key += static_cast<char32_t>(view_.words()[in.offset + w]);
  const auto [first, is_new] = declared_.try_emplace(std::move(key), i);
  if (!is_new)
    context_.report(
        in.op == Op::OpTypePointer ? kUniquePointers : kUniqueTypes, Place::at(i),
        fmt::format("expected the type {} once, found it again", context_.type(in.result_id)),
        {{"declared here first", first->second}});
}

bool Declarations::may_repeat_pointers() const {
  if (view_.version() >= 0x00010300) return true;
  for (const std::uint32_t i : view_.all(Op::OpExtension))
    if (view_.is_text(i, 0, "SPV_KHR_variable_pointers")) return true;
  return false;
}

/// True for types that OpConstantNull may have.
bool Declarations::may_be_null(Id type) {
  const Op op = view_.op_of(type);
  if (is_pointer(view_, type)) return true;
  if (const decoder::OpaqueType* opaque = decoder::opaque_type(op)) return opaque->may_be_null;
  switch (op) {
    case Op::OpTypeBool:
    case Op::OpTypeInt:
    case Op::OpTypeFloat:
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray:
    case Op::OpTypeStruct:
      return true;
    default:
      return false;
  }
}

void Declarations::check_constant(std::uint32_t i) {
  const Instruction& in = view_.at(i);
  const Id type = in.type_id;
  switch (in.op) {
    case Op::OpConstantTrue:
    case Op::OpConstantFalse:
    case Op::OpSpecConstantTrue:
    case Op::OpSpecConstantFalse:
      want_result(i, is_bool(view_, type), "the type bool");
      break;
    case Op::OpConstant:
    case Op::OpSpecConstant:
      want_result(i, view_.is_int(type) || view_.is_float(type), "a scalar number type");
      check_literal(i, 0, type);
      break;
    case Op::OpConstantComposite:
    case Op::OpSpecConstantComposite:
      check_composite(i);
      break;
    case Op::OpConstantSampler:
      want_result(i, view_.op_of(type) == Op::OpTypeSampler, "a sampler type");
      want(i, 1, view_.word(i, 1) <= 1, "0 or 1 for normalized coordinates",
           fmt::format("{}", view_.word(i, 1)));
      break;
    case Op::OpConstantNull:
      want_result(i, may_be_null(type), "a type that has a null value");
      break;
    case Op::OpUndef:
      want_result(i, view_.is_type(type) && view_.op_of(type) != Op::OpTypeVoid,
                  "a type other than void");
      break;
    default:
      break;
  }
}

void Declarations::check_composite(std::uint32_t i) {
  const Id type = view_.at(i).type_id;
  const Op op = view_.op_of(type);
  const bool composite = op == Op::OpTypeVector || op == Op::OpTypeArray || op == Op::OpTypeStruct;
  want_result(i, composite || op == Op::OpTypeMatrix, "a composite type");
  if (!composite) return;
  const std::size_t count = view_.operand_count(i);
  if (const auto parts = part_count(view_, type); parts && *parts != count) {
    want(i, Place::kWhole, false,
         fmt::format("{} for {}", count_text(*parts, "constituent"), context_.type(type)),
         fmt::format("{}", count));
    return;
  }
  for (std::size_t n = 0; n < count; ++n) {
    const Id part = view_.word(i, n);
    const Op kind = view_.op_of(part);
    const int operand = static_cast<int>(n);
    const bool is_address = is_variable(view_, part) || kind == Op::OpFunction;
    if (!is_constant(kind) && kind != Op::OpUndef && !is_address) {
      want(i, operand, false, "a constant", context_.name(part));
      return;
    }
    if (is_address)
      context_.report(
          kConstituents, Place::at(i, operand),
          fmt::format("expected a constant, found the address of {}", context_.name(part)));
    const Id wanted = part_type(view_, type, n);
    if (kind == Op::OpFunction || view_.type_of(part) == wanted) continue;
    want(i, operand, false, fmt::format("a constant of type {}", context_.type(wanted)),
         context_.type(view_.type_of(part)));
    return;
  }
}

/// Literals of OpSwitch have the selector's type.
void Declarations::check_cases(std::uint32_t i) {
  const Id type = view_.type_of(view_.word(i, 0));
  for (std::size_t n = 2; n < view_.operand_count(i); n += 2) check_literal(i, n, type);
}

/// Checks the high-order bits of a literal that is narrower than its words.
void Declarations::check_literal(std::uint32_t i, std::size_t n, Id type) {
  const bool is_int = view_.is_int(type);
  const std::uint32_t width = component_width(view_, type);
  if ((!is_int && !view_.is_float(type)) || width == 0 || width >= 64 || width == 32) return;
  const std::uint64_t number = view_.number(i, n);
  const std::uint64_t stored = width < 32 ? 0xffffffffu : ~std::uint64_t{0};
  const std::uint64_t unused = stored & ~((std::uint64_t{1} << width) - 1);
  const bool negative =
      is_int && view_.definition_word(type, 1) == 1 && (number >> (width - 1) & 1) != 0;
  if ((number & unused) == (negative ? unused : 0)) return;
  context_.report(kHighBits, Place::at(i, static_cast<int>(n)),
                  fmt::format("expected a literal of {} bits for {}, found {:#x}", width,
                              context_.type(type), number));
}

void check(Context& context) { Declarations(context).check(); }

constexpr const ValidationRule* kRules[] = {&kUniqueTypes,    &kUniquePointers, &kMatrix,
                                            &kSpecialization, &kConstituents,   &kHighBits};

}  // namespace
}  // namespace rules_declarations

const Family kDeclarationFamily{"declarations", rules_declarations::kRules,
                                rules_declarations::check};

}  // namespace transpire::validator
