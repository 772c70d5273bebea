// SPIR-V 1.0, 3.32.12: parts of composites.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"
#include "validator/type_hints.h"

namespace transpire::validator {
namespace rules_composites {
namespace {

using spv::Op;

constexpr ValidationRule kLiterals{
    "UNI-39", "SPIR-V 1.0, 3.32.12",
    "literal indexes name parts that the composite has; a literal of OpVectorShuffle names a "
    "component of one of the two vectors, or is 0xFFFFFFFF for none",
    "Indexes count from 0. Producers make such instructions of `get_global_id(3)`, whose value is "
    "undefined in SPIR-V.",
    InField::kWarning};
constexpr ValidationRule kCopyLogical{
    "V0008", "SPIR-V 1.4, 3.32.12 \"Composite Instructions\", OpCopyLogical",
    "OpCopyLogical goes between two different types that match part by part",
    "Use OpCopyObject for one type, and OpBitcast or an extraction of parts for types that "
    "differ."};

/// The first operand of an instruction, which OpSpecConstantOp may embed.
struct Embedded {
  Op op;
  std::size_t first;
};

class Composites {
 public:
  explicit Composites(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Instruction& in = view_.at(i);
      if (in.op == Op::OpSpecConstantOp)
        check_instruction(i, {static_cast<Op>(view_.word(i, 0)), 1});
      else
        check_instruction(i, {in.op, 0});
    }
  }

 private:
  void check_instruction(std::uint32_t i, Embedded what);
  Id walk(std::uint32_t i, Id type, std::size_t first_index);
  void check_extract(std::uint32_t i, std::size_t n);
  void check_insert(std::uint32_t i, std::size_t n);
  void check_shuffle(std::uint32_t i, std::size_t n);
  void check_construct(std::uint32_t i);
  void check_vector(std::uint32_t i, Id type);
  void check_copy(std::uint32_t i);
  bool match(Id a, Id b);

  void wrong_type(std::uint32_t i, int operand, Id wanted, Id found) {
    context_.report(
        kOperandTypes, Place::at(i, operand),
        fmt::format("expected {}, found {}", context_.type(wanted), context_.type(found)), {},
        operand == Place::kType ? "Declare the result with the type of that part."
                                : hint_for_types(view_, found, wanted));
  }
  Id value_type(std::uint32_t i, std::size_t n) const {
    const Id id = view_.word(i, n);
    return is_value(view_, id) ? view_.type_of(id) : 0;
  }

  Context& context_;
  const ModuleView& view_;
};

void Composites::check_instruction(std::uint32_t i, Embedded what) {
  switch (what.op) {
    case Op::OpCompositeExtract:
      check_extract(i, what.first);
      break;
    case Op::OpCompositeInsert:
      check_insert(i, what.first);
      break;
    case Op::OpVectorShuffle:
      check_shuffle(i, what.first);
      break;
    case Op::OpCompositeConstruct:
      check_construct(i);
      break;
    case Op::OpCopyLogical:
      check_copy(i);
      break;
    default:
      break;
  }
}

/// The type that the literals from `first_index` on lead to; 0, with a report, if there is none.
Id Composites::walk(std::uint32_t i, Id type, std::size_t first_index) {
  for (std::size_t n = first_index; n < view_.operand_count(i); ++n) {
    const Id part = part_type(view_, type, view_.word(i, n));
    if (part == 0) {
      const auto count = part_count(view_, type);
      context_.report(kLiterals, Place::at(i, static_cast<int>(n)),
                      count ? fmt::format("expected an index below {} for {}, found {}", *count,
                                          context_.type(type), view_.word(i, n))
                            : fmt::format("expected no index into {}, which has no parts",
                                          context_.type(type)));
      return 0;
    }
    type = part;
  }
  return type;
}

void Composites::check_extract(std::uint32_t i, std::size_t n) {
  const Id composite = value_type(i, n);
  if (composite == 0) {
    context_.report(kOperandTypes, Place::at(i, static_cast<int>(n)),
                    fmt::format("expected a composite, found {}", context_.name(view_.word(i, n))));
    return;
  }
  const Id part = walk(i, composite, n + 1);
  if (part != 0 && part != view_.at(i).type_id)
    wrong_type(i, Place::kType, part, view_.at(i).type_id);
}

void Composites::check_insert(std::uint32_t i, std::size_t n) {
  const Id composite = value_type(i, n + 1);
  if (composite != view_.at(i).type_id) {
    wrong_type(i, static_cast<int>(n) + 1, view_.at(i).type_id, composite);
    return;
  }
  const Id part = walk(i, composite, n + 2);
  if (part != 0 && part != value_type(i, n))
    wrong_type(i, static_cast<int>(n), part, value_type(i, n));
}

void Composites::check_shuffle(std::uint32_t i, std::size_t n) {
  const Id result = view_.at(i).type_id;
  const Id component = view_.component_type(result);
  if (!is_vector(view_, result)) {
    context_.report(kOperandTypes, Place::at(i, Place::kType),
                    fmt::format("expected a vector type, found {}", context_.type(result)));
    return;
  }
  std::uint64_t available = 0;
  for (std::size_t v = n; v < n + 2; ++v) {
    const Id type = value_type(i, v);
    if (!is_vector(view_, type) || view_.component_type(type) != component) {
      context_.report(kOperandTypes, Place::at(i, static_cast<int>(v)),
                      fmt::format("expected a vector of {}, found {}", context_.type(component),
                                  context_.type(type)));
      return;
    }
    available += component_count(view_, type);
  }
  const std::size_t literals = view_.operand_count(i) - std::min(view_.operand_count(i), n + 2);
  if (literals != component_count(view_, result))
    context_.report(kOperandTypes, Place::at(i),
                    fmt::format("expected {} for {}, found {}",
                                count_text(component_count(view_, result), "component"),
                                context_.type(result), literals),
                    {}, "Name as many components as the result has.");
  for (std::size_t c = n + 2; c < view_.operand_count(i); ++c)
    if (view_.word(i, c) >= available && view_.word(i, c) != 0xffffffffu) {
      context_.report(
          kLiterals, Place::at(i, static_cast<int>(c)),
          fmt::format("expected a component below {}, found {}", available, view_.word(i, c)));
      return;
    }
}

void Composites::check_construct(std::uint32_t i) {
  const Id type = view_.at(i).type_id;
  if (is_vector(view_, type)) {
    check_vector(i, type);
    return;
  }
  const auto parts = part_count(view_, type);
  if (!is_struct(view_, type) && !is_array(view_, type)) {
    context_.report(kOperandTypes, Place::at(i, Place::kType),
                    fmt::format("expected a composite type, found {}", context_.type(type)));
    return;
  }
  const std::size_t count = view_.operand_count(i);
  if (parts && *parts != count) {
    context_.report(kOperandTypes, Place::at(i),
                    fmt::format("expected {} for {}, found {}", count_text(*parts, "constituent"),
                                context_.type(type), count),
                    {}, "Give one constituent for each member, element or component.");
    return;
  }
  for (std::size_t n = 0; n < count; ++n)
    if (value_type(i, n) != part_type(view_, type, n)) {
      wrong_type(i, static_cast<int>(n), part_type(view_, type, n), value_type(i, n));
      return;
    }
}

/// A vector is constructed from scalars and vectors of the same component type.
void Composites::check_vector(std::uint32_t i, Id type) {
  const Id component = view_.component_type(type);
  std::uint64_t found = 0;
  for (std::size_t n = 0; n < view_.operand_count(i); ++n) {
    const Id part = value_type(i, n);
    if (part == 0 || view_.component_type(part) != component) {
      context_.report(kOperandTypes, Place::at(i, static_cast<int>(n)),
                      fmt::format("expected {} or a vector of it, found {}",
                                  context_.type(component), context_.type(part)));
      return;
    }
    found += component_count(view_, part);
  }
  if (found != component_count(view_, type) || view_.operand_count(i) < 2)
    context_.report(kOperandTypes, Place::at(i),
                    fmt::format("expected {} components from at least two constituents, found {}",
                                component_count(view_, type), found),
                    {}, "Constituents' components together are the vector's.");
}

/// True if two types have equal members, apart from names and decorations. Pointers must have the
/// same type. The comparison is bounded: types larger than real ones count as equal.
bool Composites::match(Id a, Id b) {
  std::vector<std::pair<Id, Id>> todo{{a, b}};
  std::size_t budget = 65536;
  while (!todo.empty()) {
    const auto [x, y] = todo.back();
    todo.pop_back();
    if (x == y) continue;
    if (view_.op_of(x) != view_.op_of(y)) return false;
    const std::uint32_t dx = view_.definition(x), dy = view_.definition(y);
    const std::size_t parts = 1 + view_.operand_count(dx);
    if (parts > budget) return true;
    budget -= parts;
    if (is_array(view_, x)) {
      if (part_count(view_, x) != part_count(view_, y)) return false;
      todo.emplace_back(view_.word(dx, 0), view_.word(dy, 0));
    } else if (is_struct(view_, x) && view_.operand_count(dx) == view_.operand_count(dy)) {
      for (std::size_t n = 0; n < view_.operand_count(dx); ++n)
        todo.emplace_back(view_.word(dx, n), view_.word(dy, n));
    } else {
      return false;
    }
  }
  return true;
}

void Composites::check_copy(std::uint32_t i) {
  const Id from = value_type(i, 0);
  const Id to = view_.at(i).type_id;
  if (from == to || (!is_struct(view_, to) && !is_array(view_, to)) || !match(from, to))
    context_.report(kCopyLogical, Place::at(i),
                    fmt::format("expected another type that matches {} part by part, found {}",
                                context_.type(to), context_.type(from)));
}

void check(Context& context) { Composites(context).check(); }

constexpr const ValidationRule* kRules[] = {&kLiterals, &kCopyLogical};

}  // namespace
}  // namespace rules_composites

const Family kCompositeFamily{"composites", rules_composites::kRules, rules_composites::check};

}  // namespace transpire::validator
