// OpExtInst with the set OpenCL.std: the types of the result and the operands of each function, by the table of
// signatures, and rules that signatures cannot state.
#include <fmt/format.h>
#include <spirv/unified1/OpenCL.std.h>

#include "decoder/grammar.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/signature_check.h"

namespace transpire::validator {
namespace rules_opencl_std {
namespace {

using spv::Op;

constexpr ValidationRule kFunctionTypes{
    "V0011", "OpenCL Extended Instruction Set 1.0, 2, the function's own entry",
    "the result and the operands of a function of OpenCL.std have the types that the function is "
    "defined for",
    "Convert the operands explicitly. Unlike in OpenCL C, scalars are not widened to vectors, and "
    "the width of the result selects the function."};

constexpr ValidationRule kFormatArray{
    "V0045", "OpenCL Extended Instruction Set 1.0, 2.6, printf",
    "printf's format is a pointer to its first character, not to the array of all",
    "Make the pointer with OpInBoundsAccessChain. Clang's own backend and newer translators name "
    "the "
    "variable itself.",
    InField::kWarning};
constexpr ValidationRule kScalarExponent{
    "V0049", "OpenCL Extended Instruction Set 1.0, 2.1, ldexp, pown, rootn",
    "ldexp, pown and rootn of a vector take a vector of as many integers",
    "Make the vector with OpCompositeConstruct. Transpire uses a scalar for every component; "
    "clang's own backend writes OpenCL C's `ldexp(float4, int)` with a scalar.",
    InField::kWarning};

/// Operands of OpExtInst: the import, the function's number, the function's own operands.
constexpr std::size_t kNumber = 1, kFirst = 2;

const SignatureTable& signatures() {
  static const SignatureTable table = [] {
    SignatureTable read;
    using namespace OpenCLLIB;
#define TRANSPIRE_SIGNATURE(result, operands, ...) read.add(result, operands, __VA_ARGS__);
#include "validator/opencl_std_signatures.def"
#undef TRANSPIRE_SIGNATURE
    return read;
  }();
  return table;
}

class OpenCLStd {
 public:
  explicit OpenCLStd(Context& context)
      : context_(context), view_(context.view), signature_check_(context, kFunctionTypes) {}

  void check() {
    const bool relaxed_formats = has_relaxed_formats();
    for (const std::uint32_t i : view_.all(Op::OpExtInst)) {
      if (view_.at(i).set != decoder::ExtendedSet::kOpenCLStd) continue;
      const Signature* signature = signatures().find(view_.word(i, kNumber));
      if (signature == nullptr) {
        report(i, kNumber, "a function of OpenCL.std", fmt::to_string(view_.word(i, kNumber)));
        continue;
      }
      if (view_.word(i, kNumber) == OpenCLLIB::Printf && (relaxed_formats || has_format_array(i)))
        continue;
      if (has_scalar_exponent(i)) continue;
      signature_check_.check_instruction(i, *signature, kFirst);
      check_counts(i);
    }
  }

 private:
  void check_counts(std::uint32_t i);
  bool has_format_array(std::uint32_t i);
  bool has_scalar_exponent(std::uint32_t i);
  /// True if an extension lets printf's format lie in any memory.
  bool has_relaxed_formats() const {
    for (const std::uint32_t i : view_.all(Op::OpExtension))
      if (view_.is_text(i, 0, "SPV_EXT_relaxed_printf_string_address_space")) return true;
    return false;
  }
  void report(std::uint32_t i, std::size_t operand, std::string_view expected,
              std::string_view found) {
    context_.report(kFunctionTypes, Place::at(i, static_cast<int>(operand)),
                    fmt::format("expected {}, found {}", expected, found));
  }

  Context& context_;
  const ModuleView& view_;
  SignatureCheck signature_check_;
};

/// True if printf's format is a pointer to an array of characters, with a report.
bool OpenCLStd::has_format_array(std::uint32_t i) {
  const Id type = view_.type_of(view_.word(i, kFirst));
  const Id array = view_.pointee(type);
  if (view_.storage_class(type) != spv::StorageClass::UniformConstant || !is_array(view_, array) ||
      !view_.is_int(part_type(view_, array, 0), 8))
    return false;
  context_.report(
      kFormatArray, Place::at(i, static_cast<int>(kFirst)),
      fmt::format("expected a pointer to 8-bit integers, found {}", context_.type(type)));
  return true;
}

/// True if the function raises each component of a vector to the power of one scalar, with a report.
bool OpenCLStd::has_scalar_exponent(std::uint32_t i) {
  const std::uint32_t number = view_.word(i, kNumber);
  if (number != OpenCLLIB::Ldexp && number != OpenCLLIB::Pown && number != OpenCLLIB::Rootn)
    return false;
  const Id result = view_.at(i).type_id, exponent = view_.type_of(view_.word(i, kFirst + 1));
  if (!is_vector(view_, result) || !view_.is_float(view_.component_type(result)) ||
      view_.type_of(view_.word(i, kFirst)) != result || !view_.is_int(exponent, 32))
    return false;
  context_.report(kScalarExponent, Place::at(i, static_cast<int>(kFirst + 1)),
                  fmt::format("expected a vector of {} integers, found {}",
                              component_count(view_, result), context_.type(exponent)));
  return true;
}

/// Checks numbers of components: those that a literal states, and those of the vectors of shuffles.
void OpenCLStd::check_counts(std::uint32_t i) {
  const auto components = [&](std::size_t operand) {
    return component_count(view_, view_.type_of(view_.word(i, operand)));
  };
  const std::uint32_t result = component_count(view_, view_.at(i).type_id);
  switch (view_.word(i, kNumber)) {
    case OpenCLLIB::Vloadn:
    case OpenCLLIB::Vload_halfn:
    case OpenCLLIB::Vloada_halfn:
      if (view_.word(i, kFirst + 2) != result)
        report(i, kFirst + 2, fmt::format("the result's number of components, {}", result),
               fmt::to_string(view_.word(i, kFirst + 2)));
      break;
    case OpenCLLIB::Shuffle:
    case OpenCLLIB::Shuffle2:
      if (result == 3 || components(kFirst) == 3)
        report(i, kFirst, "vectors of 2, 4, 8 or 16", "one of 3");
      break;
    default:
      break;
  }
}

void check(Context& context) { OpenCLStd(context).check(); }

constexpr const ValidationRule* kRules[] = {&kFunctionTypes, &kFormatArray, &kScalarExponent};

}  // namespace
}  // namespace rules_opencl_std

const Family kOpenCLStdFamily{"OpenCL.std", rules_opencl_std::kRules, rules_opencl_std::check};

}  // namespace transpire::validator
