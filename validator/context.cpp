// Reporting: severities by strictness, one error for one cause, repeated warnings folded.
#include "validator/context.h"

#include <fmt/format.h>

#include <algorithm>

#include "decoder/view/opcode_sets.h"
#include "decoder/view/spelling.h"

namespace transpire::validator {

Context::Context(const ModuleView& view_of_module, const Environment& for_environment,
                 const Device& for_device, const ValidateOptions& with_options)
    : view(view_of_module),
      environment(for_environment),
      device(for_device),
      options(with_options),
      tainted_(view_of_module.instructions().size(), false) {
  for (const std::string& id : options.suppress) suppressed_.insert(folded_rule_id(id));
  for (const std::string& id : options.as_errors) as_errors_.insert(folded_rule_id(id));
  for (const std::string& id : options.as_warnings) as_warnings_.insert(folded_rule_id(id));
  if (!options.kernels.empty()) find_unrelated();
}

/// Marks the functions that none of the requested kernels calls, or names in another way.
void Context::find_unrelated() {
  std::vector<std::uint32_t> pending;
  unrelated_.assign(view.functions().size(), true);
  const auto reach = [&](Id id) {
    const std::uint32_t definition = view.definition(id);
    const std::uint32_t function = definition == kNone ? kNone : view.at(definition).function;
    if (view.op_of(id) != spv::Op::OpFunction || function >= unrelated_.size() ||
        !unrelated_[function])
      return;
    unrelated_[function] = false;
    pending.push_back(function);
  };
  for (const std::uint32_t entry : view.all(spv::Op::OpEntryPoint)) {
    const auto is_entry = [&](const std::string& kernel) { return view.is_text(entry, 2, kernel); };
    if (std::ranges::any_of(options.kernels, is_entry)) reach(view.word(entry, 1));
  }
  while (!pending.empty()) {
    const Function& function = view.functions()[pending.back()];
    pending.pop_back();
    for (std::uint32_t i = function.first; i < function.end; ++i)
      for (std::size_t n = 0; n < view.operand_count(i); ++n)
        if (view.is_id(view.operands(i)[n])) reach(view.word(i, n));
  }
}

bool Context::is_unrelated(const Place& place) const {
  if (unrelated_.empty() || place.instruction >= view.instructions().size()) return false;
  const std::uint32_t function = view.at(place.instruction).function;
  return function < unrelated_.size() && unrelated_[function];
}

bool Context::is_tainted_id(Id id) const {
  const std::uint32_t definition = view.definition(id);
  return definition != kNone ? tainted_[definition] : tainted_ids_.contains(id);
}

bool Context::is_tainted(std::uint32_t instruction) const {
  if (instruction >= tainted_.size()) return false;
  if (tainted_[instruction]) return true;
  const Instruction& in = view.at(instruction);
  if (in.type_id != 0 && is_tainted_id(in.type_id)) return true;
  const auto operands = view.operands(instruction);
  for (std::size_t n = 0; n < operands.size(); ++n) {
    if (!view.is_id(operands[n])) continue;
    const Id id = view.word(instruction, n);
    if (is_tainted_id(id) || is_tainted_id(view.type_of(id))) return true;
  }
  return false;
}

/// Types and constants pass errors on to the types and constants made of them.
void Context::taint(std::uint32_t instruction) {
  std::vector<std::uint32_t> pending{instruction};
  while (!pending.empty()) {
    const std::uint32_t i = pending.back();
    pending.pop_back();
    if (i >= tainted_.size() || tainted_[i]) continue;
    tainted_[i] = true;
    const Id result = view.at(i).result_id;
    // If an id has several definitions, only the first passes its error on, so users are walked
    // once.
    if (result == 0 || view.at(i).function != kNone || view.definition(result) != i) continue;
    for (const std::uint32_t user : view.uses(result)) {
      const spv::Op op = view.at(user).op;
      if (is_type_declaration(op) || is_constant(op)) pending.push_back(user);
    }
  }
}

/// The severity by strictness and the options for warnings. Not for rules that `field` ignores.
Severity Context::severity_of(const ValidationRule& rule, const Place& place) const {
  Severity severity = rule.severity;
  const bool accepted =
      options.strictness == Strictness::kField && rule.in_field == InField::kWarning;
  if (severity == Severity::kError && (accepted || is_unrelated(place)))
    severity = Severity::kWarning;
  if (severity != Severity::kWarning) return severity;
  const std::string id = folded_rule_id(rule.id);
  if (as_warnings_.contains(id)) return severity;
  return options.warnings_as_errors || as_errors_.contains(id) ? Severity::kError : severity;
}

void Context::report(const ValidationRule& rule, Place place, std::string message, Notes notes,
                     std::string hint, std::initializer_list<Id> roots) {
  if (options.strictness == Strictness::kField && rule.in_field == InField::kIgnored) {
    held_back_.insert(&rule);
    return;
  }
  if (suppressed_.contains(folded_rule_id(rule.id))) return;
  const Severity severity = severity_of(rule, place);
  if (!options.all && is_tainted(place.instruction)) return;
  if (suppresses && suppresses({&rule, severity, place, message, notes, hint, 1})) return;
  if (severity != Severity::kError) {
    ++warning_count_;
    const auto [known, is_new] = warnings_.try_emplace(&rule, reports_.size());
    if (!is_new) {
      ++reports_[known->second].count;
      return;
    }
  } else {
    taint(place.instruction);
    for (const Id root : roots) {
      if (root == 0) continue;
      if (view.definition(root) == kNone) tainted_ids_.insert(root);
      taint(view.definition(root));
    }
    ++errors_;
    // Errors beyond the shown ones are only counted: hostile modules break a rule in every word.
    if (full() && errors_ > options.max_errors) return;
  }
  reports_.push_back(
      {&rule, severity, place, std::move(message), std::move(notes), std::move(hint), 1});
  fit_to_place(reports_.back());
}

namespace {

/// The kind of an instruction whose result is no value; empty for values.
std::string_view kind_without_value(spv::Op op) {
  if (is_type_declaration(op)) return "a type";
  switch (op) {
    case spv::Op::OpLabel:
      return "a label";
    case spv::Op::OpFunction:
      return "a function";
    case spv::Op::OpExtInstImport:
      return "a set of instructions";
    case spv::Op::OpString:
      return "a string";
    default:
      return {};
  }
}

/// Rules about the types of operands and results.
bool is_about_types(std::string_view rule) {
  return rule == "UNI-20" || rule == "UNI-22" || rule == "UNI-24" || rule == "V0011";
}

}  // namespace

/// A conversion is no help if a type or label stands in place of a value, or the other way round.
void Context::fit_to_place(Report& report) const {
  const Place& place = report.place;
  const bool is_type_place = place.operand == Place::kType;
  if (!is_about_types(report.rule->id) || (place.operand < 0 && !is_type_place)) return;
  const auto operand = static_cast<std::size_t>(is_type_place ? 0 : place.operand);
  if (!is_type_place && (!view.has_operand(place.instruction, operand) ||
                         !view.is_id(view.operands(place.instruction)[operand])))
    return;
  const Id id =
      is_type_place ? view.at(place.instruction).type_id : view.word(place.instruction, operand);
  const std::string_view kind = kind_without_value(view.op_of(id));
  const std::string_view message = report.message;
  const bool wants_type = is_type_place || message.starts_with("expected a type") ||
                          message.starts_with("expected a function type");
  if (wants_type) {
    if (kind != "a type") report.hint = "Name the id of a type here.";
    return;
  }
  const std::size_t found = message.rfind(", found ");
  if (kind.empty() || found == message.npos) return;
  report.message =
      fmt::format("{}, found {}, which is {}", message.substr(0, found), name(id), kind);
  report.hint = "Name a value here: a constant, a parameter, or what an instruction gives.";
}

/// True if the instruction uses the result of one of the causes, which precede it.
bool Context::comes_of(std::uint32_t instruction, const std::set<std::uint32_t>& causes) const {
  const auto is_cause = [&](Id id) {
    const std::uint32_t definition = id == 0 ? kNone : view.definition(id);
    return definition < instruction && causes.contains(definition);
  };
  const auto operands = view.operands(instruction);
  for (std::size_t n = 0; n < operands.size(); ++n)
    if (view.is_id(operands[n]) && is_cause(view.word(instruction, n))) return true;
  return is_cause(view.at(instruction).type_id);
}

void Context::drop_consequences() {
  if (options.all) return;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < reports_.size(); ++i)
    if (reports_[i].severity == Severity::kError &&
        reports_[i].place.instruction < view.instructions().size())
      order.push_back(i);
  std::ranges::stable_sort(order, {},
                           [this](std::size_t i) { return reports_[i].place.instruction; });
  std::set<std::uint32_t> causes;
  std::set<std::size_t> dropped;
  for (const std::size_t i : order) {
    const std::uint32_t instruction = reports_[i].place.instruction;
    if (comes_of(instruction, causes))
      dropped.insert(i);
    else
      causes.insert(instruction);
  }
  std::vector<Report> kept;
  for (std::size_t i = 0; i < reports_.size(); ++i)
    if (!dropped.contains(i)) kept.push_back(std::move(reports_[i]));
  reports_ = std::move(kept);
  errors_ -= dropped.size();
}

const Flow& Context::flow() {
  if (!flow_) flow_.emplace(view);
  return *flow_;
}

bool Context::full() const {
  return !options.all && options.max_errors != 0 && errors_ >= options.max_errors;
}

std::string Context::name(Id id) const { return spell_id(view, id); }

std::string Context::type(Id id) const { return spell_type(view, id); }

}  // namespace transpire::validator
