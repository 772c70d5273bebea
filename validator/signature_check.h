// Checks instructions against the signatures of validator/signatures.h and reports mismatches.
#pragma once

#include <string>

#include "validator/context.h"
#include "validator/signatures.h"

namespace transpire::validator {

class SignatureCheck {
 public:
  /// Reports mismatches as breaches of `rule`. Both are kept by reference.
  SignatureCheck(Context& context, const ValidationRule& rule)
      : context_(context), view_(context.view), rule_(rule) {}

  /// `first`: operand (as ModuleView counts) that corresponds to the signature's first one.
  void check_instruction(std::uint32_t i, const Signature& signature, std::size_t first);

 private:
  bool has_class(Id type, TypeClass wanted) const;
  bool has_scalar_class(Id type, TypeClass wanted) const;
  bool has_object_class(Id type, TypeClass wanted) const;
  bool is_pointer_to(Id type, TypeClass wanted) const;
  bool holds(std::uint32_t i, std::size_t first, Id type, Relation relation) const;
  bool holds_between(Id type, Id other, char kind) const;
  std::string hint_for_relation(char kind, Id found, Id other) const;
  bool check_type(std::uint32_t i, int operand, std::size_t first, Id type,
                  const OperandSignature& wanted);

  /// The type that a relation refers to.
  Id other_type(std::uint32_t i, std::size_t first, int other) const {
    if (other == Relation::kResult) return view_.at(i).type_id;
    return view_.type_of(view_.word(i, first + static_cast<std::size_t>(other)));
  }
  std::string spell_relation(std::uint32_t i, std::size_t first, Relation relation) const;

  Context& context_;
  const ModuleView& view_;
  const ValidationRule& rule_;
};

}  // namespace transpire::validator
