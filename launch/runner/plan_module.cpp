// Loads, specialises and links the module of a plan: see launch/runner/run_plan.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "base/content.h"
#include "launch/language/parameters.h"
#include "launch/report/diagnose.h"
#include "launch/runner/run_plan.h"

namespace transpire::launch {
namespace {

bool is_id_number(std::string_view text) {
  return !text.empty() && text.size() < 10 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool means(const SpecialisationSpec& spec, const SpecConstantInfo& constant) {
  return spec.target == constant.name || spec.target == fmt::to_string(constant.spec_id);
}

Diagnostic no_such_constant(const SpecialisationSpec& spec,
                            const std::vector<SpecConstantInfo>& constants) {
  std::vector<std::string> names;
  for (const SpecConstantInfo& constant : constants)
    names.push_back(constant.name.empty() ? fmt::to_string(constant.spec_id) : constant.name);
  return command_error(kNoSuchSpecConstant,
                       fmt::format("no specialisation constant is called '{}'", spec.target),
                       suggestion(spec.target, names, "specialisation constants"));
}

/// True if a value of the stated type fits the constant, apart from signs.
bool is_of_type(const TypeWord& stated, ScalarType type) {
  const bool both_bool = (stated.scalar == ScalarType::kBool) == (type == ScalarType::kBool);
  return stated.components == 1 && both_bool && is_float(stated.scalar) == is_float(type) &&
         size_bytes(stated.scalar) == size_bytes(type);
}

/// Checks the value's type, if it states one, against the constant's.
Status check_type(const SpecialisationSpec& spec, const SpecConstantInfo& constant) {
  const auto type = scalar_of(constant.type);
  if (!type || !spec.value.type || is_of_type(*spec.value.type, *type)) return Unit{};
  return command_error(
      kBadValue,
      fmt::format("specialisation constant '{}' is of type {}, the value of type {}", spec.target,
                  text_of(constant.type), text_of(type_of(*spec.value.type))),
      fmt::format("write '{} = {}:{}'", spec.target, text_of(constant.type),
                  format_number(constant.default_bits, *type)));
}

/// SpecId and bits of a specialisation. `constants` are the module's.
Result<std::pair<std::uint32_t, std::uint64_t>> resolve(
    const SpecialisationSpec& spec, const std::vector<SpecConstantInfo>& constants) {
  std::optional<ScalarType> type;
  if (spec.value.type) type = spec.value.type->scalar;
  const auto constant = std::find_if(constants.begin(), constants.end(),
                                     [&](const SpecConstantInfo& c) { return means(spec, c); });
  if (constant != constants.end()) {
    if (const Status fits = check_type(spec, *constant); !fits) return fits.errors();
    if (!type) type = scalar_of(constant->type);
  }
  if (!type || (constant == constants.end() && !is_id_number(spec.target)))
    return no_such_constant(spec, constants);
  const std::string& number = spec.value.literals[0].number;
  const Signedness sign = spec.value.type ? Signedness::kStated : Signedness::kInferred;
  const auto bits = spec.value.maker == ValueSpec::Maker::kHex ? parse_bits(number, *type)
                                                               : parse_number(number, *type, sign);
  if (!bits) return bits.errors();
  const std::uint32_t id = constant != constants.end()
                               ? constant->spec_id
                               : static_cast<std::uint32_t>(std::stoul(spec.target));
  return std::pair{id, *bits};
}

/// Options for every file of the plan.
LoadOptions common_options(const LaunchPlan& plan, const AskedSettings& settings) {
  LoadOptions options;
  options.build_options = plan.build_options;
  options.build_options.insert(options.build_options.end(), plan.module_options.begin(),
                               plan.module_options.end());
  LaunchSettings of_launches;
  settings.apply_to(of_launches);
  options.optimise_source = !wants_source_as_written(of_launches);
  options.timeout_seconds = reading_limit(settings).time.seconds_left();
  if (settings.max_memory_bytes)
    options.max_file_bytes = std::min(options.max_file_bytes, *settings.max_memory_bytes);
  return options;
}

/// SpecIds and bits of the plan's specialisation. `constants` are those of all its modules.
Result<std::vector<std::pair<std::uint32_t, std::uint64_t>>> specialisation_of(
    const LaunchPlan& plan, const std::vector<SpecConstantInfo>& constants) {
  using Given =
      std::pair<std::uint32_t, bool>;  // SpecId, and true for a value from the command line
  std::vector<Given> given;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> values;
  for (const SpecialisationSpec& spec : plan.specialisation) {
    const auto resolved = resolve(spec, constants);
    if (!resolved) return placed(resolved.errors(), spec.where);
    const auto same = std::ranges::find(given, resolved->first, &Given::first);
    if (same != given.end() && same->second && !spec.overriding) continue;
    if (same != given.end())
      return placed(
          {command_error(kBadLaunchFile,
                         fmt::format("specialisation constant '{}' is given twice", spec.target))},
          spec.where);
    given.emplace_back(resolved->first, spec.overriding);
    values.push_back(*resolved);
  }
  return values;
}

/// The index in a statement that names an element of an array, `values[3]` or `0.1[3].sampler`; nothing for other targets.
std::optional<std::uint32_t> element_of(std::string_view target, const ParameterInfo& parameter) {
  std::string_view array = parameter.name;
  array.remove_suffix(std::min(array.size(), parameter.binding_part.size()));
  for (const std::string& name : {std::string(array), binding_text(*parameter.binding)}) {
    if (!target.starts_with(name + "[")) continue;
    std::uint32_t index = 0;
    const char* const first = target.data() + name.size() + 1;
    const auto [end, error] = std::from_chars(first, target.data() + target.size(), index);
    if (error == std::errc{} && end != target.data() + target.size() && *end == ']') return index;
  }
  return std::nullopt;
}

/// The module with arrays of descriptors as long as the plan's statements need.
Result<Module> with_descriptors(const LaunchPlan& plan, Module module, LoadOptions options) {
  struct Needed {
    std::uint32_t count = 0;
    const SourceLine* where = nullptr;  ///< the statement that needs so many
  };
  std::map<std::array<std::uint32_t, 2>, Needed> counts;
  const auto look_at = [&](const ArgumentSpec& spec, const ParameterInfo& parameter) {
    if (!parameter.in_open_array || !parameter.binding) return;
    const auto index = element_of(spec.target, parameter);
    if (!index) return;
    const std::uint32_t count = *index == UINT32_MAX ? *index : *index + 1;
    Needed& known = counts[*parameter.binding];
    if (count > known.count) known = {count, &spec.where};
  };
  for (const KernelInfo& kernel : module.info().kernels)
    for (const ParameterInfo& parameter : kernel.parameters) {
      for (const ArgumentSpec& spec : plan.overriding) look_at(spec, parameter);
      for (const Step& step : plan.steps)
        if (const auto* launch = std::get_if<LaunchStep>(&step))
          for (const ArgumentSpec& spec : launch->arguments) look_at(spec, parameter);
    }
  if (counts.empty()) return module;
  for (const auto& [at, needed] : counts)
    options.descriptor_counts.push_back({at[0], at[1], needed.count});
  TRANSPIRE_TRY(Module longer, module.specialised(options));
  for (const KernelInfo& kernel : longer.info().kernels)
    for (const ParameterInfo& parameter : kernel.parameters)
      if (const auto known = parameter.in_open_array && parameter.binding
                                 ? counts.find(*parameter.binding)
                                 : counts.end();
          known != counts.end() && parameter.binding_part.empty())
        return located({command_error(kBadArgument,
                                      fmt::format("with {} elements of '{}' the shader would have "
                                                  "more than 4,096 descriptors",
                                                  known->second.count, parameter.name))},
                       *known->second.where, plan.input);
  return longer;
}

Result<Module> load_bytes(std::span<const std::byte> bytes, const std::string& path,
                          const LoadOptions& options) {
  if (is_source_name(path) || is_source_text(bytes))
    return Module::load_source({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                               options);
  return Module::load(bytes, options);
}

Result<Module> load_any_file(const std::string& path, LoadOptions options) {
  if (!is_read_once(path)) return Module::load_file(path, std::move(options));
  const auto bytes =
      read_file(path, {WorkLimit::after(options.timeout_seconds), options.max_file_bytes});
  if (!bytes) return bytes.errors();
  if (options.name == LoadOptions{}.name) options.name = path == "-" ? "<stdin>" : path;
  return load_bytes(*bytes, path, options);
}

}  // namespace

Result<Module> load_module_file(const std::string& path, LoadOptions options) {
  return within_memory(fmt::format("loading '{}'", path),
                       [&] { return load_any_file(path, std::move(options)); });
}

/// The plan's module. Assembly text that the plan came from is not read again.
Result<Module> load_module_of(const LaunchPlan& plan, const std::string& path,
                              LoadOptions options) {
  if (!plan.module_text.empty()) {
    options.name = path;
    return within_memory(fmt::format("loading '{}'", path), [&] {
      return load_bytes(std::as_bytes(std::span(plan.module_text)), path, options);
    });
  }
  if (path != plan.input || plan.text.empty() || launch_marker(path) != ";!" ||
      !plan.build_options.empty())
    return load_module_file(path, std::move(options));
  if (plan.text.size() > options.max_file_bytes)
    return file_too_large(path, options.max_file_bytes);
  options.name = path;
  return within_memory(fmt::format("loading '{}'", path),
                       [&] { return Module::load(std::as_bytes(std::span(plan.text)), options); });
}

Result<Module> load_module(const LaunchPlan& plan, const AskedSettings& settings) {
  if (plan.modules.empty())
    return command_error(kBadLaunchFile, "no module is named", "add 'module FILE'");
  LoadOptions options = common_options(plan, settings);
  std::vector<Module> parts;
  std::vector<SpecConstantInfo> constants;
  for (const std::string& path : plan.modules) {
    auto module = load_module_of(plan, path, options);
    if (!module) return module;
    const auto& more = module->info().spec_constants;
    constants.insert(constants.end(), more.begin(), more.end());
    parts.push_back(std::move(module).value());
  }
  auto values = specialisation_of(plan, constants);
  if (!values) return values.errors();
  options.specialisation = std::move(values).value();
  if (parts.size() == 1) {
    if (options.specialisation.empty()) return with_descriptors(plan, parts[0], options);
    TRANSPIRE_TRY(Module specialised, parts[0].specialised(options));
    return with_descriptors(plan, std::move(specialised), options);
  }
  // The linked module has the constants; a part need not have all of them.
  options.name = "linked module";
  return Module::link(parts, options);
}

Result<std::vector<Module>> load_programs(const LaunchPlan& plan, const AskedSettings& settings) {
  std::vector<Module> modules;
  for (const ProgramSpec& program : plan.programs) {
    LaunchPlan alone;
    alone.input = plan.input;
    alone.build_options = plan.build_options;
    alone.module_options = program.options;
    alone.modules = program.modules;
    alone.module_text = program.text;
    alone.specialisation = program.specialisation;
    alone.overriding = plan.overriding;
    alone.steps = plan.steps;
    auto module = load_module(alone, settings);
    if (!module) return module.errors();
    modules.push_back(std::move(module).value());
  }
  return modules;
}

std::vector<const ModuleInfo*> Programs::infos() const {
  std::vector<const ModuleInfo*> infos;
  for (const Module& module : modules_) infos.push_back(&module.info());
  return infos;
}

}  // namespace transpire::launch
