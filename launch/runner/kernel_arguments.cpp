// Binds arguments to a kernel's parameters: see launch/runner/kernel_arguments.h.
#include "launch/runner/kernel_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "launch/language/block_part.h"
#include "launch/language/parameters.h"
#include "launch/report/diagnose.h"
#include "launch/runner/bind_part.h"

namespace transpire::launch {

KernelArguments::KernelArguments(const LaunchPlan& plan, Programs programs,
                                 const KnownQueues& queues, PlanBuffers& buffers,
                                 const StepLimit& limit,
                                 const std::function<void(const std::string& part)>& begins)
    : plan_(plan),
      programs_(std::move(programs)),
      queues_(queues),
      buffers_(buffers),
      limit_(limit),
      begins_(begins) {}

/// Binds an argument. Errors have the place of its statement.
Status KernelArguments::bind_one(const ArgumentSpec& spec, std::vector<bool>& given) {
  const Status bound = bind_parameter(spec, given);
  if (bound) return bound;
  return located(bound.errors(), spec.where, plan_.input);
}

Status KernelArguments::bind_parameter(const ArgumentSpec& spec, std::vector<bool>& given) {
  const auto place = find_place(*kernel_, spec);
  if (!place && spec.may_be_unused) return Unit{};
  if (!place) return place.errors();
  const std::size_t index = place->parameter;
  const ParameterInfo& parameter = kernel_->parameters[index];
  const std::string part = place->part.empty() ? implied_part(parameter, spec) : place->part;
  const bool was_given = given[index];
  given[index] = true;
  is_shared_[index] = false;
  if (!place->part.empty()) return bind_part_of(index, part, spec);
  if (was_given)
    return command_error(kBadArgument, fmt::format("argument '{}' is given twice", parameter.name));
  if (!part.empty()) {
    bound_[index] = {};
    return bind_part_of(index, part, spec);
  }
  if (spec.kind == ArgumentSpec::Kind::kShared && !buffers_.shared())
    return command_error(
        kBadArgument,
        fmt::format("argument '{}' is a pointer to shared memory, and there is none",
                    parameter.name),
        "declare some: 'shared nodes at 0x200000000000 = ulong:zero:16'");
  if (kind_of(parameter) == ParameterKind::kBuffer)
    if (begins_) begins_(fmt::format("setting up argument '{}'", parameter.name));
  auto argument = within_limit(fmt::format("argument '{}' was made", parameter.name), [&] {
    return bind_argument(parameter, spec, buffers_.known(), buffers_.allowance(), queues_);
  });
  if (!argument) return argument.errors();
  const bool makes_one =
      spec.kind != ArgumentSpec::Kind::kBuffer && spec.kind != ArgumentSpec::Kind::kShared;
  if (argument->buffer && buffers_.is_declared(parameter.name) && makes_one)
    return command_error(
        kBadArgument,
        fmt::format("argument '{}' makes a buffer, but there is already one of that name",
                    parameter.name),
        fmt::format("write 'arg {} = buffer {}', or give the buffer another name", parameter.name,
                    parameter.name));
  bound_[index] = std::move(argument).value();
  buffers_.set_argument(index, parameter, bound_[index].buffer);
  return Unit{};
}

/// Binds a value to a part of the parameter's block.
Status KernelArguments::bind_part_of(std::size_t index, const std::string& part,
                                     const ArgumentSpec& spec) {
  const ParameterInfo& parameter = kernel_->parameters[index];
  BoundArgument& bound = bound_[index];
  const bool is_shared = bound.buffer && buffers_.is_declared(bound.buffer->name);
  Status done = within_limit(fmt::format("argument '{}' was made", parameter.name), [&] {
    return bind_part(parameter, part, spec, is_shared, buffers_.allowance(), bound);
  });
  if (done) buffers_.set_argument(index, parameter, bound.buffer);
  return done;
}

/// Binds the file's arguments that are new to the launch, or in their place those of the command line. `first_of_kernel`: binds
/// the command line's other arguments, too. Fails with all errors.
Status KernelArguments::bind_arguments(const LaunchStep& launch, bool first_of_kernel) {
  std::vector<bool> given(bound_.size());
  Diagnostics errors;
  std::size_t misnamed = 0;
  bool in_time = true;  // false: no time for the arguments that follow
  const auto bind = [&](const ArgumentSpec& spec) {
    if (!in_time) return;
    const Status bound = bind_one(spec, given);
    if (bound) return;
    errors.insert(errors.end(), bound.errors().begin(), bound.errors().end());
    in_time = limit_.end() == WorkLimit::End::kNone;
  };
  std::uint32_t serial = bound_serial_;
  for (const ArgumentSpec* spec : new_arguments(plan_, launch, *kernel_, first_of_kernel, serial)) {
    misnamed += find_place(*kernel_, *spec) || spec->may_be_unused ? 0 : 1;
    bind(*spec);
  }
  if (!in_time) return errors;
  share_bindings(given);
  bind_null(given);
  // Arguments with a wrong name account for as many missing ones.
  if (Diagnostics missing = missing_arguments(given); missing.size() > misnamed)
    errors.insert(errors.end(), missing.begin(), missing.end());
  if (!errors.empty()) return errors;
  bound_serial_ = serial;
  return Unit{};
}

namespace {

/// True if one descriptor can be both.
bool are_alike(const ParameterInfo& a, const ParameterInfo& b) {
  return a.is_sampler == b.is_sampler && a.image.has_value() == b.image.has_value() &&
         (pointee_of(a) == nullptr) == (pointee_of(b) == nullptr);
}

}  // namespace

/// Variables with one set and binding have one descriptor: of them, those that no statement of the launch names have what another has.
void KernelArguments::share_bindings(const std::vector<bool>& given) {
  const std::vector<ParameterInfo>& parameters = kernel_->parameters;
  const auto is_set = [&](std::size_t i) {
    return bound_[i].argument.kind != Argument::Kind::kUnset;
  };
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].binding || given[i]) continue;
    const bool has_own = is_set(i) && !is_shared_[i];
    for (std::size_t other = 0; other < parameters.size(); ++other) {
      const bool is_same = other != i && parameters[other].binding == parameters[i].binding &&
                           parameters[other].binding_part == parameters[i].binding_part &&
                           are_alike(parameters[other], parameters[i]);
      const bool is_source = given[other] || (!has_own && !is_shared_[other]);
      if (!is_same || !is_source || !is_set(other)) continue;
      share(other, i);
      break;
    }
  }
}

void KernelArguments::share(std::size_t from, std::size_t to) {
  const ParameterInfo& parameter = kernel_->parameters[to];
  is_shared_[to] = true;
  bound_[to] = bound_[from];
  if (bound_[to].buffer && !bound_[to].buffer->image) {
    BoundBuffer mine = *bound_[to].buffer;
    mine.name = parameter.name;
    mine.type = with_length(*pointee_of(parameter), mine.memory.bytes().size());
    bound_[to].buffer = std::make_shared<BoundBuffer>(std::move(mine));
  }
  buffers_.set_argument(to, parameter, bound_[to].buffer);
}

Status KernelArguments::bind(const LaunchStep& launch) {
  const auto kernel = find_kernel(programs_[launch.program].info(), launch.kernel);
  if (!kernel) return kernel.errors();
  const bool other = kernel_ != *kernel;
  if (other) {
    kernel_ = *kernel;
    program_ = launch.program;
    bound_.assign(kernel_->parameters.size(), {});
    is_shared_.assign(bound_.size(), false);
    buffers_.begin_kernel(bound_.size());
    if (Status fine = check_parameters(); !fine) return fine;
  }
  return bind_arguments(launch, other);
}

/// Fails if a parameter has a type that no argument can have, with the module's own refusal if there is one.
Status KernelArguments::check_parameters() const {
  for (const ParameterInfo& parameter : kernel_->parameters) {
    if (kind_of(parameter) != ParameterKind::kOpaque || parameter.is_unused) continue;
    const Diagnostics reasons = programs_[program_].unsupported(kernel_->name);
    if (!reasons.empty()) return reasons;
    return command_error(kOpaqueArgument,
                         fmt::format("argument '{}' is of type {}, which is not supported",
                                     parameter.name, text_of(parameter.type)));
  }
  return Unit{};
}

/// Elements of arrays of descriptors without a statement are null.
void KernelArguments::bind_null(const std::vector<bool>& given) {
  for (std::size_t i = 0; i < bound_.size(); ++i)
    if (kernel_->parameters[i].binding_part.starts_with('[') && !given[i] &&
        bound_[i].argument.kind == Argument::Kind::kUnset)
      bound_[i].argument = Argument::null();
}

/// Errors for parameters without a statement. `given` is true for each parameter that has one, even a wrong one.
Diagnostics KernelArguments::missing_arguments(const std::vector<bool>& given) const {
  Diagnostics missing;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    const ParameterInfo& parameter = kernel_->parameters[i];
    if (bound_[i].argument.kind != Argument::Kind::kUnset || given[i] || parameter.is_unused)
      continue;
    missing.push_back(
        command_error(kBadArgument,
                      fmt::format("argument {} of kernel '{}' is missing: {} '{}'", i,
                                  kernel_->name, text_of(value_type(parameter)), parameter.name),
                      fmt::format("for example '{}'", argument_template(parameter))));
  }
  return missing;
}

Status KernelArguments::swap(const LaunchStep& step, Launch& launch) {
  for (const auto& [a, b] : step.swaps) {
    const auto first = find_parameter(*kernel_, a);  // the names are checked before the run
    if (!first) return first.errors();
    const auto second = find_parameter(*kernel_, b);
    if (!second) return second.errors();
    std::swap(bound_[*first], bound_[*second]);
    for (const std::size_t index : {*first, *second})
      launch.arguments[index] = bound_[index].argument;
  }
  return Unit{};
}

void KernelArguments::keep_names() {
  for (std::size_t i = 0; i < bound_.size(); ++i)
    buffers_.set_argument(i, kernel_->parameters[i], bound_[i].buffer);
}

}  // namespace transpire::launch
