#include "runtime/const_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "vm/build/build.h"
#include "vm/ops/op.h"

namespace transpire::runtime {
namespace {

bool is_access(const vm::lir::Value& value) {
  const vm::Imm imm = vm::info(value.op).imm;
  return imm == vm::Imm::kAccess || imm == vm::Imm::kCopy;
}

bool only_loads(vm::Op op) { return op == vm::Op::kLoad || op == vm::Op::kAtomicLoad; }

}  // namespace

std::vector<bool> const_parameters(const KernelInfo& kernel) {
  std::vector<bool> is_const;
  for (const ParameterInfo& parameter : kernel.parameters)
    is_const.push_back(parameter.is_const && parameter.type.kind == TypeInfo::Kind::kPointer &&
                       parameter.type.address_space == "global");
  return is_const;
}

}  // namespace transpire::runtime

namespace transpire {

std::vector<bool> Module::may_write(std::string_view kernel) const {
  const Result<std::uint32_t> index = state_->find_kernel(kernel);
  if (!index) return {};
  // The shader's resources are no parameters of the kernel.
  if (state_->clspv) return std::vector<bool>(state_->info.kernels[*index].parameters.size(), true);
  const auto built = vm::build(state_->module, *state_->entry_points[*index], vm::LowerOptions{});
  if (!built) return {};
  std::vector<bool> written;
  for (const vm::Parameter& parameter : built->parameters)
    written.push_back(parameter.kind != vm::Parameter::Kind::kPointer || built->uses_queue ||
                      parameter.may_be_written);
  return written;
}

Diagnostics Module::stores_through_const(std::string_view kernel) const {
  const Result<std::uint32_t> index = state_->find_kernel(kernel);
  if (!index || state_->clspv) return {};
  const KernelInfo& info = state_->info.kernels[*index];
  vm::LowerOptions options;
  options.const_parameters = runtime::const_parameters(info);
  if (std::ranges::find(options.const_parameters, true) == options.const_parameters.end())
    return {};
  const auto built = vm::build(state_->module, *state_->entry_points[*index], options);
  if (!built) return {};
  Diagnostics found;
  std::set<std::uint64_t> words;  // an instruction may be built several times
  for (const vm::lir::Value& value : built->values) {
    if (!runtime::is_access(value) || runtime::only_loads(value.op)) continue;
    const std::uint32_t parameter = built->mem[value.imm].no_write_parameter;
    const vm::Source& source = built->sources[value.source];
    const std::uint64_t word = source.word_offset;
    if (parameter == 0 || !options.const_parameters[parameter - 1]) continue;
    if (!words.insert(word).second) continue;
    Diagnostic warning = make_diagnostic(
        Rule::kR0025, fmt::format("store through argument '{}' of kernel '{}', which is const",
                                  info.parameters[parameter - 1].name, info.name));
    warning.severity = Severity::kWarning;
    warning.word_offset = word;
    state_->places().show(source.word_offset, source.line, warning);
    found.push_back(std::move(warning));
  }
  return found;
}

}  // namespace transpire
