// SPIR-V 1.0, 3.32.22: functions that instructions enqueue or query, and their arguments.
#include <fmt/format.h>

#include "decoder/invoke_operand.h"
#include "decoder/view/type_queries.h"
#include "validator/context.h"
#include "validator/family_list.h"
#include "validator/operand_rule.h"

namespace transpire::validator {
namespace rules_enqueue {
namespace {

using spv::Op;
using spv::StorageClass;

constexpr ValidationRule kInvoke{
    "V0024", "SPIR-V 1.0, 3.32.22 OpEnqueueKernel",
    "an enqueued function returns nothing and takes a pointer to 8-bit integers, then a pointer to "
    "Workgroup memory for each Local Size",
    "The block's captured values lie behind its first parameter. List the sizes of local memory in "
    "the order of the other parameters."};

class Enqueued {
 public:
  explicit Enqueued(Context& context) : context_(context), view_(context.view) {}

  void check() {
    for (std::uint32_t i = 0; i < view_.instructions().size(); ++i) {
      const Op op = view_.at(i).op;
      if (const auto invoke = decoder::invoke_operand(op)) check_invoke(i, *invoke);
      if (op == Op::OpBuildNDRange) check_sizes(i);
    }
  }

 private:
  static constexpr std::size_t kFirstLocalSize = 10;  ///< operand of OpEnqueueKernel

  void check_invoke(std::uint32_t i, std::size_t invoke);
  void check_local_sizes(std::uint32_t i, std::size_t invoke, std::size_t wanted);
  void check_sizes(std::uint32_t i);

  bool points_to_bytes(Id type) const { return view_.is_int(view_.pointee(type), 8); }
  /// The type, or what it points to: producers hand values over by pointers to them.
  Id given(Id type) const { return is_pointer(view_, type) ? view_.pointee(type) : type; }

  Context& context_;
  const ModuleView& view_;
};

void Enqueued::check_invoke(std::uint32_t i, std::size_t invoke) {
  const std::uint32_t index = view_.function_of(view_.word(i, invoke));
  if (index == kNone) return;  // another rule's matter
  const Function& function = view_.functions()[index];
  const auto report = [&](const std::string& what, std::uint32_t where) {
    context_.report(kInvoke, Place::at(i, static_cast<int>(invoke)),
                    fmt::format("expected {} {}", what, context_.name(view_.word(i, invoke))),
                    {{"found here", where}});
  };
  if (view_.op_of(view_.at(function.first).type_id) != Op::OpTypeVoid)
    return report("no result of the enqueued function", function.first);
  if (function.parameters.empty() || !points_to_bytes(view_.at(function.parameters[0]).type_id))
    return report("a pointer to 8-bit integers as the first parameter of",
                  function.parameters.empty() ? function.first : function.parameters[0]);
  for (std::size_t n = 1; n < function.parameters.size(); ++n)
    if (view_.storage_class(view_.at(function.parameters[n]).type_id) != StorageClass::Workgroup)
      return report("only pointers to Workgroup memory behind the first parameter of",
                    function.parameters[n]);
  const Id block = view_.type_of(view_.word(i, invoke + 1));
  if (!points_to_bytes(block))
    context_.report(
        kInvoke, Place::at(i, static_cast<int>(invoke) + 1),
        fmt::format("expected a pointer to 8-bit integers, found {}", context_.type(block)));
  if (view_.at(i).op == Op::OpEnqueueKernel)
    check_local_sizes(i, invoke, function.parameters.size() - 1);
}

void Enqueued::check_local_sizes(std::uint32_t i, std::size_t invoke, std::size_t wanted) {
  const std::size_t count = view_.operand_count(i);
  const std::size_t found = count < kFirstLocalSize ? 0 : count - kFirstLocalSize;
  if (found != wanted)
    return context_.report(
        kInvoke, Place::at(i),
        fmt::format("expected {} Local Size operands, as many as {} takes pointers to Workgroup "
                    "memory, found {}",
                    wanted, context_.name(view_.word(i, invoke)), found));
  for (std::size_t n = kFirstLocalSize; n < count; ++n) {
    const Id type = view_.type_of(view_.word(i, n));
    if (!view_.is_int(given(type)))
      context_.report(kOperandTypes, Place::at(i, static_cast<int>(n)),
                      fmt::format("expected an integer scalar, found {}", context_.type(type)));
  }
}

/// The operands of OpBuildNDRange: scalars, or arrays of two or three, of size_t.
void Enqueued::check_sizes(std::uint32_t i) {
  const auto count_of = [&](Id type) -> std::uint64_t {
    if (!is_array(view_, type)) return view_.is_int(type, address_width(view_)) ? 1 : 0;
    const std::uint64_t count = part_count(view_, type).value_or(0);
    const bool fits = view_.is_int(part_type(view_, type, 0), address_width(view_));
    return fits && (count == 2 || count == 3) ? count : 0;
  };
  const std::uint64_t first = count_of(given(view_.type_of(view_.word(i, 0))));
  for (std::size_t n = 0; n < 3; ++n) {
    const Id type = view_.type_of(view_.word(i, n));
    const std::uint64_t count = count_of(given(type));
    if (count != 0 && count == first) continue;
    return context_.report(
        kOperandTypes, Place::at(i, static_cast<int>(n)),
        fmt::format("expected {0}-bit integers for 1 to 3 dimensions, as many as of the global "
                    "size, found {1}",
                    address_width(view_), context_.type(type)));
  }
}

void check(Context& context) { Enqueued(context).check(); }

constexpr const ValidationRule* kRules[] = {&kInvoke};

}  // namespace
}  // namespace rules_enqueue

const Family kEnqueueFamily{"enqueue", rules_enqueue::kRules, rules_enqueue::check};

}  // namespace transpire::validator
