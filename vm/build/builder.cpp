#include "vm/build/builder.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "base/narrow.h"
#include "decoder/execution_models.h"
#include "decoder/untyped.h"
#include "vm/build/instructions/result_origins.h"
#include "vm/build/instructions/scopes.h"
#include "vm/build/instructions/undefined.h"
#include "vm/build/no_write.h"
#include "vm/build/table.h"
#include "vm/build/written_parameters.h"

namespace transpire::vm::builder {

Builder::Builder(const Request& asked)
    : Core(asked, *this),
      pointers(*this),
      arguments(*this, pointers),
      private_variables(*this, arguments),
      program_variables(*this, arguments),
      constant_memory(*this, pointers, program_variables),
      passed_scalars(*this, pointers),
      accesses(*this, pointers, constant_memory, passed_scalars),
      partial_stores(*this, pointers, accesses),
      temporaries(*this, private_variables, accesses),
      memory(*this, pointers, accesses, partial_stores, temporaries),
      parts(*this, pointers, memory),
      groups(*this),
      builtins(*this, groups),
      checks(*this),
      constants(*this, temporaries, parts, checks, *this),
      module_variables(*this, private_variables, program_variables, memory),
      parameters(*this, pointers, private_variables, accesses, passed_scalars, memory),
      block_orders(request.module),
      lifetimes(*this, block_orders, private_variables),
      calls(*this, accesses, private_variables, temporaries, block_orders, lifetimes, *this) {}

/// A budget that is spent outside of functions: see Calls::expand() for those.
Result<lir::Function> Builder::run() {
  try {
    build();
  } catch (BudgetSpent& spent) {
    position.frame = nullptr;
    refusals.refuse(std::move(spent.why));
  } catch (const TooWide& number) {
    position.frame = nullptr;
    refusals.refuse(too_wide(number));
  }
  if (failed()) return refusals.first();
  return std::move(writer.function());
}

void Builder::build() {
  check_module();
  if (failed()) return;
  Frame frame;
  frame.function = request.inputs.function();
  if (frame.function == nullptr || frame.function->is_import())
    return refusals.malformed(
        fmt::format("the entry point '{}' names no function with a body", request.entry.name));
  writer.continue_in(writer.new_block());
  position.frame = &frame;
  parameters.bind(frame);
  if (!failed()) calls.expand(frame);
  if (!failed()) finish();
  position.frame = nullptr;
}

void Builder::check_module() {
  if (std::string reason = decoder::reason_against(request.module, request.entry); !reason.empty())
    refuse(Rule::kU0003, std::move(reason));
  float_mode.choose(writer.function());
  apply_options();
  choose_subgroup_size();
}

void Builder::apply_options() {
  lir::Function& function = writer.function();
  function.records_results = request.options.record_results;
  function.may_fuse = request.entry.mode(spv::ExecutionMode::ContractionOff) == nullptr;
  function.reference_math = request.options.reference_math();
  function.constants_change = request.options.constants_change;
}

void Builder::choose_subgroup_size() {
  std::uint32_t& size = writer.function().subgroup_size;
  size = subgroup_items(request.entry, request.options);
  if (!std::has_single_bit(size) || size > 64)
    refuse(Rule::kU0003,
           fmt::format("the sub-group size {} of kernel '{}' is not supported: it must "
                       "be a power of two of at most 64",
                       size, request.entry.name));
}

Values Builder::constant(const decoder::Constant& constant) { return constants.value(constant); }

Bound Builder::variable(const decoder::Variable& variable) {
  // Modules of llvm-spirv before 2019 have built-in variables among constants, and import them.
  if (variable.is_builtin || variable.storage_class == spv::StorageClass::Input)
    return builtins.variable(variable);
  Bound bound;
  bound.values = ids.keep({module_variables.address(variable)});
  return bound;
}

void Builder::dispatch(const Instruction& instruction) {
  const Row* row = find_row(instruction.op);
  if (row == nullptr) return refuse(Rule::kU0001, decoder::refusal_of(instruction.op));
  if (request.options.count_instructions) count(decoder::written_op(request.module, instruction));
  check_scopes(*this, instruction);
  if (request.options.check_ub) check_memory_promises(*this, instruction);
  row->handler(*this, instruction, row->op);
  if (request.options.check_ub) check_float_promises(*this, instruction);
}

void Builder::count(spv::Op opcode) {
  if (narrow<std::uint32_t>(opcode) >= kMostOpcodes) return;
  lir::Value value;
  value.op = Op::kCount;
  value.imm = static_cast<std::uint64_t>(opcode);
  writer.place(std::move(value));
}

void Builder::finish() {
  writer.link();
  if (failed()) return;
  private_variables.note_starts();
  partial_stores.drop_needless_loads();
  arguments.number();
  debug_notes.finish();
  position = {};
  lir::Function& function = writer.function();
  const std::string wrong = lir::verify(function);
  if (!wrong.empty())
    return refusals.malformed(
        fmt::format("kernel '{}' is not well-formed: {}", request.entry.name, wrong));
  mark_no_write(function);
  mark_aliases(function);
  mark_written_parameters(function);
}

}  // namespace transpire::vm::builder
