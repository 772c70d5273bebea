// The C interface: modules.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "c_api/c_api.h"
#include "transpire/validate.hpp"

namespace transpire::c_api {
namespace {

/// The first version's options are shorter.
Result<transpire_load_options> known_options(const transpire_load_options& options) {
  return known_struct(options, offsetof(transpire_load_options, timeout_milliseconds));
}

Status check_options(const transpire_load_options& options) {
  if (options.specialisations == nullptr && options.specialisation_count != 0)
    return invalid("expected a pointer as 'specialisations', found null");
  if (options.build_options == nullptr && options.build_option_count != 0)
    return invalid("expected a pointer as 'build_options', found null");
  if (options.sources == nullptr && options.source_count != 0)
    return invalid("expected a pointer as 'sources', found null");
  if (options.descriptor_counts == nullptr && options.descriptor_count_count != 0)
    return invalid("expected a pointer as 'descriptor_counts', found null");
  for (std::size_t i = 0; i < options.build_option_count; ++i)
    if (options.build_options[i] == nullptr)
      return invalid(fmt::format("expected a string as 'build_options[{}]', found null", i));
  for (std::size_t i = 0; i < options.source_count; ++i)
    if (options.sources[i].name == nullptr || options.sources[i].text == nullptr)
      return invalid(fmt::format("expected strings in 'sources[{}]', found null", i));
  return Unit{};
}

Result<LoadOptions> load_options(const transpire_load_options* given) {
  LoadOptions result;
  if (given == nullptr) return result;
  TRANSPIRE_TRY(const transpire_load_options known, known_options(*given));
  const transpire_load_options* const options = &known;
  if (const Status status = check_options(*options); !status) return status.errors();
  if (options->name != nullptr) result.name = options->name;
  for (std::size_t i = 0; i < options->specialisation_count; ++i)
    result.specialisation.emplace_back(options->specialisations[i].spec_id,
                                       options->specialisations[i].bits);
  for (std::size_t i = 0; i < options->build_option_count; ++i)
    result.build_options.emplace_back(options->build_options[i]);
  for (std::size_t i = 0; i < options->source_count; ++i)
    result.sources.push_back({options->sources[i].name, options->sources[i].text});
  for (std::size_t i = 0; i < options->descriptor_count_count; ++i)
    result.descriptor_counts.push_back({options->descriptor_counts[i].set,
                                        options->descriptor_counts[i].binding,
                                        options->descriptor_counts[i].count});
  result.optimise_source = !options->unoptimised_source;
  result.timeout_seconds = static_cast<double>(options->timeout_milliseconds) / 1000;
  if (options->max_file_bytes != 0) result.max_file_bytes = options->max_file_bytes;
  return result;
}

/// That one call reports: a hostile module could have one for each of its instructions.
constexpr std::uint64_t kMostErrors = 1000;

Status hand_out(Result<Module> loaded, transpire_module** module) {
  if (!loaded) return loaded.errors();
  auto made = std::make_unique<transpire_module>();
  made->module = std::move(loaded).value();
  made->info = module_info_in(made->arena, made->module.info());
  std::vector<const transpire_diagnostic*> warnings;
  for (const Diagnostic& warning : made->module.compiler_warnings())
    warnings.push_back(diagnostic_in(made->arena, warning));
  made->compiler_warnings = &made->arena.keep(std::move(warnings));
  *module = made.release();
  return Unit{};
}

}  // namespace

Result<std::size_t> find_kernel(const Module& module, const char* name) {
  const KernelInfo* const kernel = module.kernel(name);
  if (kernel == nullptr) return module.unsupported(name);
  return static_cast<std::size_t>(kernel - module.info().kernels.data());
}
}  // namespace transpire::c_api

using namespace transpire;
using c_api::guarded;

transpire_status transpire_module_load(const void* bytes, size_t size_bytes,
                                       const transpire_load_options* options,
                                       transpire_module** module, transpire_error** error) {
  c_api::clear(module);
  return guarded(__func__, error, {{"bytes", bytes}, {"module", module}}, [&]() -> Status {
    TRANSPIRE_TRY(const LoadOptions load, c_api::load_options(options));
    const std::span input(static_cast<const std::byte*>(bytes), size_bytes);
    return c_api::hand_out(Module::load(input, load), module);
  });
}

transpire_status transpire_module_load_file(const char* path, const transpire_load_options* options,
                                            transpire_module** module, transpire_error** error) {
  c_api::clear(module);
  return guarded(__func__, error, {{"path", path}, {"module", module}}, [&]() -> Status {
    TRANSPIRE_TRY(LoadOptions load, c_api::load_options(options));
    return c_api::hand_out(Module::load_file(path, std::move(load)), module);
  });
}

transpire_status transpire_module_get_compiler_warnings(
    const transpire_module* module, const transpire_diagnostic* const** warnings, size_t* count,
    transpire_error** error) {
  c_api::clear(warnings);
  return guarded(__func__, error, {{"module", module}, {"warnings", warnings}, {"count", count}},
                 [&]() -> Status {
                   *count = module->compiler_warnings->size();
                   *warnings = *count == 0 ? nullptr : module->compiler_warnings->data();
                   return Unit{};
                 });
}

transpire_status transpire_module_link(const transpire_module* const* modules, size_t module_count,
                                       const transpire_load_options* options,
                                       transpire_module** module, transpire_error** error) {
  c_api::clear(module);
  return guarded(__func__, error, {{"modules", modules}, {"module", module}}, [&]() -> Status {
    if (module_count == 0) return c_api::invalid("expected modules to link, found none");
    std::vector<Module> parts;
    for (std::size_t i = 0; i < module_count; ++i) {
      if (modules[i] == nullptr)
        return c_api::invalid(fmt::format("expected a module as 'modules[{}]', found null", i));
      parts.push_back(modules[i]->module);
    }
    TRANSPIRE_TRY(const LoadOptions load, c_api::load_options(options));
    return c_api::hand_out(Module::link(parts, load), module);
  });
}

void transpire_module_release(transpire_module* module) { delete module; }

transpire_status transpire_module_get_info(const transpire_module* module,
                                           const transpire_module_info** info,
                                           transpire_error** error) {
  return guarded(__func__, error, {{"module", module}, {"info", info}}, [&]() -> Status {
    *info = module->info;
    return Unit{};
  });
}

transpire_status transpire_module_find_kernel(const transpire_module* module, const char* name,
                                              const transpire_kernel** kernel,
                                              transpire_error** error) {
  return guarded(__func__, error, {{"module", module}, {"name", name}, {"kernel", kernel}},
                 [&]() -> Status {
                   TRANSPIRE_TRY(const std::size_t index, c_api::find_kernel(module->module, name));
                   *kernel = module->info->kernels[index];
                   return Unit{};
                 });
}

transpire_status transpire_module_check_kernel(const transpire_module* module, const char* name,
                                               transpire_error** error) {
  return guarded(__func__, error, {{"module", module}, {"name", name}}, [&]() -> Status {
    Diagnostics unsupported = module->module.unsupported(name);
    if (!unsupported.empty()) return unsupported;
    return Unit{};
  });
}

transpire_status transpire_module_validate(const transpire_module* module, const char* environment,
                                           transpire_error** error) {
  return guarded(__func__, error, {{"module", module}}, [&]() -> Status {
    Diagnostics found =
        environment == nullptr ? module->module.validate() : module->module.validate(environment);
    if (!found.empty()) return found;
    return Unit{};
  });
}

transpire_status transpire_validate(const void* bytes, size_t size_bytes, const char* environment,
                                    uint32_t strictness, const char* device,
                                    transpire_error** error) {
  return guarded(__func__, error, {{"bytes", bytes}}, [&]() -> Status {
    if (strictness != TRANSPIRE_FIELD && strictness != TRANSPIRE_STRICT)
      return c_api::invalid(
          fmt::format("expected TRANSPIRE_FIELD or TRANSPIRE_STRICT, found {}", strictness));
    ValidateOptions options;
    if (environment != nullptr) options.environment = environment;
    if (device != nullptr) options.device = device;
    options.strictness = strictness == TRANSPIRE_STRICT ? Strictness::kStrict : Strictness::kField;
    options.second_opinion = false;
    options.max_errors = c_api::kMostErrors;
    auto validation =
        validate(std::span(static_cast<const std::byte*>(bytes), size_bytes), options);
    if (!validation) return validation.errors();
    if (validation->valid) return Unit{};
    std::erase_if(validation->diagnostics, [](const Diagnostic& diagnostic) {
      return diagnostic.severity != Severity::kError;
    });
    return validation->diagnostics;
  });
}

transpire_status transpire_module_disassemble(const transpire_module* module, bool with_offsets,
                                              const char** text, transpire_error** error) {
  return guarded(__func__, error, {{"module", module}, {"text", text}}, [&]() -> Status {
    const std::lock_guard lock(module->mutex);
    std::string& kept = module->disassembly[with_offsets ? 1 : 0];
    if (kept.empty()) {
      TRANSPIRE_TRY(kept, module->module.disassemble(with_offsets));
    }
    *text = kept.c_str();
    return Unit{};
  });
}
