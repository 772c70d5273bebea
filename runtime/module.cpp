// Modules: from bytes in any accepted form to a ModuleState, and queries about one.
#include <fmt/format.h>

#include <algorithm>

#include "base/content.h"
#include "base/spirv_words.h"
#include "compiler/embedded_sources.h"
#include "compiler/files.h"
#include "compiler/opencl_source.h"
#include "decoder/execution_models.h"
#include "decoder/link_named.h"
#include "decoder/view/assemble_text.h"
#include "findings/source_texts.h"
#include "findings/unseen.h"
#include "reflect/describe.h"
#include "runtime/const_arguments.h"
#include "runtime/state.h"
#include "transpire/launch_rules.hpp"
#include "transpire/validate.hpp"
#include "validator/validate.h"
#include "vm/build/build.h"
#include "vm/simd/float_mode.h"

namespace transpire {
namespace {

using runtime::ModuleState;
using runtime::VariableNames;

/// A module as it is given: words, or a text. A text is assembled once, however often its words are decoded.
struct Input {
  std::span<const std::byte> bytes;
  std::optional<decoder::view::AssembledText> assembled;
};

/// Errors of a decoded text, each at its place.
Diagnostics shown_in(const decoder::view::ViewedModule& module, const std::string& name,
                     Diagnostics errors) {
  const decoder::view::PlaceRenderer renderer(module, name);
  for (Diagnostic& error : errors) renderer.show_word(error);
  return errors;
}

Result<Input> read_input(std::span<const std::byte> bytes, const std::string& name,
                         ModuleState& state) {
  Input input{bytes, {}};
  if (auto foreign = foreign_content(bytes, name); foreign && !bytes.empty()) return *foreign;
  if (!is_assembler_text(bytes)) return input;
  state.assembly.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  TRANSPIRE_TRY(input.assembled, decoder::view::assemble_text(state.assembly, name));
  input.bytes = std::as_bytes(std::span(input.assembled->words));
  return input;
}

Result<decoder::Module> decode(const Input& input, const std::string& name,
                               const WorkLimit& limit) {
  decoder::DecodeOptions options;
  options.input_name = name;
  options.limit = limit;
  if (input.assembled) options.text_names = input.assembled->module.view.text_names();
  Result<decoder::Module> module = decoder::decode(input.bytes, options);
  if (module || !input.assembled) return module;
  return shown_in(input.assembled->module, name, module.errors());
}

std::optional<Diagnostic> check_spec_ids(const ModuleInfo& info, const LoadOptions& options,
                                         const std::string& name) {
  for (const auto& [spec_id, bits] : options.specialisation) {
    const auto has_id = [id = spec_id](const SpecConstantInfo& c) { return c.spec_id == id; };
    if (std::any_of(info.spec_constants.begin(), info.spec_constants.end(), has_id)) continue;
    std::string known;
    for (const SpecConstantInfo& constant : info.spec_constants)
      known += fmt::format("{}{}", known.empty() ? "" : ", ", constant.spec_id);
    Diagnostic error = make_diagnostic(
        Rule::kC0032, fmt::format("no specialisation constant has SpecId {}", spec_id));
    error.input = name;
    error.help = known.empty() ? "the module has no specialisation constants"
                               : fmt::format("the module's SpecIds are {}", known);
    return error;
  }
  return std::nullopt;
}

/// The functions that kernels enqueue are kernels of their own, which only what enqueues them can name.
void add_enqueued(ModuleState& state) {
  for (analysis::EnqueuedFunction& function : analysis::enqueued_functions(state.module)) {
    decoder::EntryPoint& entry = state.enqueued.emplace_back();
    entry.function = function.id;
    entry.name = state.module.name(function.id);
    if (entry.name.empty()) entry.name = fmt::format("%{}", function.id);
    state.entry_points.push_back(&entry);
    KernelInfo& info = state.enqueued_infos.emplace_back();
    info.name = entry.name;
    info.local_bytes = function.use.local_bytes;
    info.private_bytes = function.use.private_bytes;
    state.uses.push_back(function.use);
  }
}

/// Shaders are dispatched by whole groups, but clspv may have them take launches apart.
bool has_only_whole_groups(const ModuleState& state, const std::optional<bool>& wanted) {
  if (state.clspv) return !state.clspv->has_regions() || wanted.value_or(false);
  const bool is_shader =
      decoder::row_of(state.module.memory_model).model != spv::ExecutionModel::Kernel;
  return wanted.value_or(is_shader || has_only_uniform_groups(state.info.source_language));
}

/// Gives the module's variables names in place of its own.
void rename_variables(const VariableNames& names, decoder::Module& module) {
  for (const auto& [id, name] : names) {
    module.names[id] = name;
    const auto variable = std::ranges::find(module.variables, id, &decoder::Variable::id);
    if (variable != module.variables.end()) variable->name = name;
  }
}

/// Fills in what follows from the decoded module. `as_shaders`: leaves the reflection of clspv out.
void describe(ModuleState& state, const std::optional<bool>& uniform_groups, bool as_shaders) {
  state.uses = analysis::kernel_uses(state.module);
  if (!as_shaders)
    if (auto clspv = decoder::clspv_reflection(state.module))
      state.clspv = std::move(clspv).value();
  state.info = reflect::describe(state.module, state.uses, state.clspv ? &*state.clspv : nullptr);
  state.info.uniform_groups = has_only_whole_groups(state, uniform_groups);
  state.entry_points = decoder::launched_entry_points(state.module);
  add_enqueued(state);
  for (const KernelInfo& kernel : state.info.kernels)
    state.has_initializers = state.has_initializers || kernel.is_initializer;
  state.has_named_barriers = reflect::has_named_barriers(state.module);
}

std::optional<Diagnostic> out_of_time(const std::string& name, const WorkLimit& limit) {
  if (!limit.spent()) return std::nullopt;
  Diagnostic error = compiler::time_is_over("the module was loaded");
  error.input = name;
  return error;
}

/// The module with the options' values of specialisation constants and lengths of arrays of descriptors. Its description keeps the
/// defaults of the constants. `shader_names`: null, or as in ModuleState::shader().
Result<std::shared_ptr<ModuleState>> specialised(const ModuleState& base,
                                                 const LoadOptions& options, const WorkLimit& limit,
                                                 const VariableNames* shader_names = nullptr) {
  decoder::DecodeOptions how;
  how.input_name = options.name == LoadOptions{}.name ? base.module.input_name : options.name;
  how.specialisation.insert(options.specialisation.begin(), options.specialisation.end());
  for (const DescriptorCount& each : options.descriptor_counts)
    how.descriptor_counts[{each.set, each.binding}] = each.count;
  how.text_names = base.module.text_names;
  how.limit = limit;
  if (auto error = check_spec_ids(base.info, options, how.input_name)) return *error;
  Result<decoder::Module> module = decoder::specialised(base.module.copy(), how);
  if (!module && !base.assembly.empty())
    return shown_in(base.viewed(), how.input_name, module.errors());
  auto state = std::make_shared<ModuleState>();
  TRANSPIRE_TRY(state->module, std::move(module));
  state->assembly = base.assembly;
  state->sources = base.sources;
  state->compiler_warnings = base.compiler_warnings;
  state->compiled_from = base.compiled_from;
  if (shader_names != nullptr) {
    state->given_names = *shader_names;
    rename_variables(*shader_names, state->module);
  }
  describe(*state, options.uniform_groups ? options.uniform_groups : base.info.uniform_groups,
           shader_names != nullptr);
  state->info.spec_constants = base.info.spec_constants;
  state->specialisation = options.specialisation;
  if (!base.assembly.empty()) state->keep_viewed(base.viewed());
  if (auto error = out_of_time(how.input_name, limit)) return *error;
  return state;
}

Result<std::shared_ptr<ModuleState>> make_state(std::span<const std::byte> bytes,
                                                const LoadOptions& options,
                                                const WorkLimit& limit) {
  auto state = std::make_shared<ModuleState>();
  state->sources = options.sources;
  TRANSPIRE_TRY(Input input, read_input(bytes, options.name, *state));
  TRANSPIRE_TRY(state->module, decode(input, options.name, limit));
  for (SourceText& source : compiler::embedded_sources(state->module.words))
    state->sources.push_back(std::move(source));
  describe(*state, options.uniform_groups, false);
  if (input.assembled) state->keep_viewed(std::move(input.assembled->module));
  if (auto error = out_of_time(options.name, limit)) return *error;
  if (options.specialisation.empty() && options.descriptor_counts.empty()) return state;
  return specialised(*state, options, limit);
}

CompiledFrom compiled_by(const LoadOptions& options) {
  const std::vector<std::string>& words = options.build_options;
  const bool has_level =
      std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("-O"); });
  const bool marks_wraps =
      !options.optimise_source && !compiler::runs_optimiser(words, options.optimise_source);
  return {options.name, marks_wraps && !has_level, marks_wraps};
}

/// As make_state(), of a module that may have been a source.
Result<std::shared_ptr<ModuleState>> make_compiled_state(std::span<const std::byte> bytes,
                                                         const LoadOptions& options,
                                                         const WorkLimit& limit,
                                                         compiler::SourceNotes notes) {
  auto state = make_state(bytes, options, limit);
  if (!state) return state;
  (*state)->compiler_warnings = std::move(notes.warnings);
  if (notes.is_compiled) (*state)->compiled_from = {compiled_by(options)};
  return state;
}

/// Adds each refused instruction's place to the diagnostics of lowering.
Diagnostics shown(const findings::Places& places, Diagnostics refused) {
  for (Diagnostic& diagnostic : refused) places.show_word(diagnostic);
  return refused;
}

}  // namespace

Result<Module> Module::load(std::span<const std::byte> bytes, const LoadOptions& options) {
  Module module;
  TRANSPIRE_TRY(module.state_,
                make_state(bytes, options, WorkLimit::after(options.timeout_seconds)));
  return module;
}

Result<Module> Module::load_file(const std::string& path, LoadOptions options) {
  if (options.name == LoadOptions{}.name) options.name = path == "-" ? "<stdin>" : path;
  const WorkLimit limit = WorkLimit::after(options.timeout_seconds);
  compiler::SourceNotes notes;
  if (std::ranges::find(options.build_options, "-cl-uniform-work-group-size") !=
      options.build_options.end())
    options.uniform_groups = true;
  TRANSPIRE_TRY(const std::vector<std::byte> bytes,
                compiler::module_of_file(path, options, limit, notes));
  Module module;
  TRANSPIRE_TRY(module.state_, make_compiled_state(bytes, options, limit, std::move(notes)));
  return module;
}

Result<Module> Module::load_source(std::string_view text, LoadOptions options) {
  if (options.name == LoadOptions{}.name) options.name = "<stdin>";
  const WorkLimit limit = WorkLimit::after(options.timeout_seconds);
  compiler::SourceNotes notes;
  TRANSPIRE_TRY(const std::vector<std::byte> bytes,
                compiler::module_of_text(text, options, limit, notes));
  options.sources.push_back({options.name, std::string(text)});
  Module module;
  TRANSPIRE_TRY(module.state_, make_compiled_state(bytes, options, limit, std::move(notes)));
  return module;
}

Result<Module> Module::link(std::span<const Module> modules, const LoadOptions& options,
                            bool partial) {
  std::vector<std::vector<std::uint32_t>> words;
  std::vector<std::string> names;
  for (const Module& module : modules) {
    words.push_back(module.state_->module.words);
    names.push_back(module.info().name);
  }
  TRANSPIRE_TRY(const std::vector<std::uint32_t> linked,
                decoder::link_named(words, std::move(names), partial));
  LoadOptions for_all = options;
  const auto is_uniform = [](const Module& module) { return module.info().uniform_groups; };
  if (!for_all.uniform_groups) for_all.uniform_groups = std::ranges::any_of(modules, is_uniform);
  TRANSPIRE_TRY(Module whole, load(std::as_bytes(std::span(linked)), for_all));
  std::vector<CompiledFrom>& compiled_from = whole.state_->compiled_from;
  for (const Module& module : modules) {
    const Diagnostics& warnings = module.compiler_warnings();
    whole.state_->compiler_warnings.insert(whole.state_->compiler_warnings.end(), warnings.begin(),
                                           warnings.end());
    const std::span<const CompiledFrom> sources = module.compiled_from();
    compiled_from.insert(compiled_from.end(), sources.begin(), sources.end());
  }
  const auto is_compiled = [](const Module& module) { return !module.compiled_from().empty(); };
  if (!std::ranges::all_of(modules, is_compiled)) compiled_from.clear();
  return whole;
}

Result<Module> Module::specialised(const LoadOptions& options) const {
  Module module;
  TRANSPIRE_TRY(module.state_, transpire::specialised(*state_, options,
                                                      WorkLimit::after(options.timeout_seconds)));
  return module;
}

const ModuleInfo& Module::info() const { return state_->info; }

const KernelInfo* Module::kernel(std::string_view name) const {
  for (const KernelInfo& kernel : state_->info.kernels)
    if (kernel.name == name) return &kernel;
  return nullptr;
}

Diagnostics Module::unsupported(std::string_view kernel) const {
  const Result<std::uint32_t> index = state_->find_kernel(kernel);
  if (!index) return index.errors();
  vm::LowerOptions options;
  const auto build = [&] {
    return vm::build(state_->module, *state_->entry_points[*index], options);
  };
  const auto built = build();
  if (built) return {};
  // Cooperative matrices ask for whole sub-groups, whose size a launch may choose.
  if (state_->module.has_cooperative_matrices)
    for (const std::uint32_t items : {8u, 16u, 64u}) {
      options.subgroup_size = items;
      if (build()) return {};
    }
  return shown(state_->places(), built.errors());
}

Result<std::string> Module::disassemble(bool with_offsets) const {
  return decoder::disassemble(state_->module.words, with_offsets);
}

std::span<const std::uint32_t> Module::words() const { return state_->module.words; }

const Diagnostics& Module::compiler_warnings() const { return state_->compiler_warnings; }

std::span<const CompiledFrom> Module::compiled_from() const { return state_->compiled_from; }

Diagnostics Module::unseen_by_check_ub() const {
  const auto all = [this](bool CompiledFrom::*member) {
    return !state_->compiled_from.empty() && std::ranges::all_of(state_->compiled_from, member);
  };
  return findings::unseen_by_check_ub(state_->module, all(&CompiledFrom::marks_wraps),
                                      all(&CompiledFrom::is_for_checks));
}

std::string_view Module::assembly() const { return state_->assembly; }

std::span<const std::pair<std::uint32_t, std::uint64_t>> Module::specialisation() const {
  return state_->specialisation;
}

Result<Validation> Module::validate(const ValidateOptions& asked) const {
  ValidateOptions options = asked;
  if (options.name == ValidateOptions{}.name) options.name = state_->module.input_name;
  if (options.sources.empty()) options.sources = state_->sources;
  findings::SourceTexts sources(options.sources, options.name);
  return validator::validate_module(
      {.module = state_->viewed(), .decodes = true}, options,
      WorkLimit::after(options.timeout_seconds),
      [&](const SourceLine& where) { return sources.excerpt(where); });
}

Diagnostics Module::validate(const std::string& environment) const {
  ValidateOptions options;
  options.environment = environment;
  options.strictness = Strictness::kField;
  const Result<Validation> validation = validate(options);
  if (!validation) return validation.errors();
  Diagnostics found = validation->diagnostics;
  // Deviations that compilers in use produce are no findings here. The second opinion (V0001)
  // stays.
  std::erase_if(found, [](const Diagnostic& diagnostic) {
    return diagnostic.severity != Severity::kError && diagnostic.rule != rule_id(Rule::kV0001);
  });
  return found;
}

namespace runtime {

Result<std::uint32_t> ModuleState::find_kernel(std::string_view name) const {
  for (std::uint32_t i = 0; i < info.kernels.size(); ++i)
    if (info.kernels[i].name == name) return i;
  Diagnostic error =
      make_diagnostic(Rule::kC0002, fmt::format("the module has no kernel '{}'", name));
  error.input = module.input_name;
  std::string names;
  for (const KernelInfo& kernel : info.kernels)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", kernel.name);
  error.help = names.empty() ? "the module has no kernels" : fmt::format("it has {}", names);
  return error;
}

std::uint32_t ModuleState::enqueued_kernel(decoder::Id function) const {
  const auto found = std::ranges::find(enqueued, function, &decoder::EntryPoint::function);
  return static_cast<std::uint32_t>(info.kernels.size() +
                                    static_cast<std::size_t>(found - enqueued.begin()));
}

Result<ProgramPointer> ModuleState::program(const ProgramKey& key, const WorkLimit& limit) {
  const std::lock_guard lock(mutex_);
  if (const auto found = programs_.find(key); found != programs_.end()) return found->second;
  vm::LowerOptions options;
  options.lanes = key.handlers->lanes;
  static_cast<vm::BatchLayout&>(options) = key.layout;
  static_cast<LaunchSettings&>(options) = key.settings;
  static_cast<vm::LaunchFacts&>(options) = key.facts;
  options.enqueued_subgroup_items = key.enqueued_subgroup_items;
  if (!key.settings.lenient)
    options.const_parameters = runtime::const_parameters(kernel_info(key.kernel));
  options.limits.time = limit;
  const vm::FloatMode mode;  // constants are folded by handlers
  auto lowered = vm::lower(module, *entry_points[key.kernel], options, *key.handlers);
  if (!lowered) return shown(places(), lowered.errors());
  return programs_.emplace(key, std::move(lowered).value()).first->second;
}

Result<std::shared_ptr<ModuleState>> ModuleState::shader(
    const std::vector<std::pair<std::uint32_t, std::uint64_t>>& values, const VariableNames& names,
    const WorkLimit& limit) {
  // Each kernel has names of its own, and launches of several regions have a shader for each size of groups.
  const std::size_t most_shaders = std::max<std::size_t>(64, 2 * info.kernels.size());
  LoadOptions options;
  options.specialisation = specialisation;
  for (const auto& value : values) {
    std::erase_if(options.specialisation,
                  [&](const auto& each) { return each.first == value.first; });
    options.specialisation.push_back(value);
  }
  options.uniform_groups = true;
  const auto kept = [&]() -> std::shared_ptr<ModuleState> {
    const auto found = std::ranges::find_if(shaders_, [&](const auto& each) {
      return each->specialisation == options.specialisation && each->given_names == names;
    });
    if (found == shaders_.end()) return nullptr;
    shaders_.splice(shaders_.begin(), shaders_, found);
    return shaders_.front();
  };
  {
    const std::lock_guard lock(mutex_);
    if (std::shared_ptr<ModuleState> shader = kept()) return shader;
  }
  TRANSPIRE_TRY(std::shared_ptr<ModuleState> made, specialised(*this, options, limit, &names));
  const std::lock_guard lock(mutex_);
  if (std::shared_ptr<ModuleState> shader = kept()) return shader;  // made meanwhile
  shaders_.push_front(std::move(made));
  if (shaders_.size() > most_shaders) shaders_.pop_back();
  return shaders_.front();
}

std::vector<ProgramKey> ModuleState::made() const {
  const std::lock_guard lock(mutex_);
  std::vector<ProgramKey> keys;
  for (const auto& [key, program] : programs_) keys.push_back(key);
  return keys;
}

const decoder::view::ViewedModule& ModuleState::viewed() const {
  std::call_once(viewed_once_, [this] {
    if (!viewed_) viewed_ = decoder::view::view_module(module.words);
  });
  return *viewed_;
}

void ModuleState::keep_viewed(decoder::view::ViewedModule viewed) {
  viewed.view.refer_to(module.words);
  viewed.text.text = assembly;
  viewed_ = std::move(viewed);
}

const findings::Places& ModuleState::places() const {
  std::call_once(places_once_, [this] { places_.emplace(module, viewed(), sources); });
  return *places_;
}

}  // namespace runtime
}  // namespace transpire
