// Building, compiling and linking programs.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "compiler/compiled_module.h"
#include "compiler/embedded_sources.h"
#include "compiler/kept_source.h"
#include "compiler/module_words.h"
#include "compiler/opencl_source.h"
#include "compiler/source_prologue.h"
#include "compiler/toolchain.h"
#include "compiler/unresolved.h"
#include "launch/language/asked_settings.h"
#include "opencl/build_options.h"
#include "opencl/entry_point.h"
#include "opencl/extensions.h"
#include "opencl/link_file_names.h"
#include "opencl/platform.h"
#include "opencl/program.h"
#include "opencl/report.h"
#include "transpire/launch_rules.hpp"

namespace transpire::opencl {
namespace {

using Origin = _cl_program::Origin;
using Notify = void(CL_CALLBACK*)(cl_program, void*);

/// The result of a build for one image.
struct Outcome : Image {
  bool ok = false;
};

using SpecConstants = std::map<cl_uint, std::uint64_t>;

/// A warning if the device has no work-group as large as the kernel requires, so that every launch
/// is refused.
std::string warn_of_group(const KernelInfo& kernel) {
  if (!kernel.required_local_size) return {};
  const auto& size = *kernel.required_local_size;
  const auto exceeds = [](std::uint64_t items) { return items > kMaxGroupItems; };
  const bool too_large =
      std::any_of(size.begin(), size.end(), exceeds) || exceeds(size[0] * size[1] * size[2]);
  if (!too_large) return {};
  return fmt::format(
      "warning: kernel '{}' cannot be launched: its work-groups must have {} x {} x {} "
      "work-items, the device's have {} at most\n",
      kernel.name, size[0], size[1], size[2], kMaxGroupItems);
}

/// The module that an executable runs. IL has been loaded already.
Result<Module> executable_module(const Outcome& outcome, const _cl_program& program,
                                 const SpecConstants& constants) {
  LoadOptions options;
  options.name = program.name;
  options.sources = outcome.sources;
  options.uniform_groups = outcome.uniform_groups;
  if (program.origin != Origin::kIl)
    return Module::load(outcome.told_bytes.empty() ? outcome.module_bytes : outcome.told_bytes,
                        options);
  options.specialisation.assign(constants.begin(), constants.end());
  return outcome.loaded->specialised(options);
}

/// Loads an executable, which nothing may be missing from, and says in the log which of its kernels the VM does not run.
void load_executable(Outcome& outcome, const _cl_program& program, const SpecConstants& constants) {
  Result<Module> module = executable_module(outcome, program, constants);
  outcome.ok = module.ok();
  if (!module) {
    outcome.log += format_all(module.errors());
    return;
  }
  if (environment().settings.check_ub && !outcome.is_for_checks) tell(module->unseen_by_check_ub());
  for (const KernelInfo& kernel : module->info().kernels) {
    outcome.log += warn_of_group(kernel);
    Diagnostics refusals = module->unsupported(kernel.name);
    if (refusals.empty()) continue;
    outcome.refusals[kernel.name] = format_all(refusals);
    for (Diagnostic& refusal : refusals) refusal.severity = Severity::kWarning;
    outcome.log +=
        fmt::format("warning: {} '{}' cannot be {}:\n{}", kernel.is_enqueued ? "block" : "kernel",
                    kernel.name, kernel.is_enqueued ? "enqueued" : "created", format_all(refusals));
  }
  if (const Diagnostics undefined = compiler::unresolved_symbols(module->words());
      !undefined.empty()) {
    outcome.ok = false;
    outcome.log = format_all(undefined) + outcome.log;
  }
  outcome.module = *std::move(module);
}

void compile(const _cl_program& program, const BuildOptions& options,
             const std::vector<SourceHeader>& headers, Outcome& outcome) {
  const cl_version version = environment().version;
  const compiler::Language language{options.standard, CL_VERSION_MAJOR(version),
                                    CL_VERSION_MINOR(version), language_extensions()};
  CompileOptions how;
  how.options = compiler::language_options(language);
  how.options.insert(how.options.end(), options.clang.begin(), options.clang.end());
  how.options.emplace_back("-I.");
  how.headers = headers;
  how.optimise = options.optimise && !launch::wants_source_as_written(environment().settings);
  how.cache_folder = compiler::users_cache();
  if (options.optimise && !how.optimise) tell_compiled_for_checks(program.name);
  CompiledSource compiled =
      compiler::compile_text(program.source, how, {},
                             compiler::language_prologue(language, options.clang, program.source));
  std::vector<SourceText> sources{{how.name, program.source}};
  for (const SourceHeader& header : headers) sources.push_back({header.name, header.text});
  // Equal sources give equal binaries. A binary keeps its source, for findings in programs made of it.
  outcome.module_bytes =
      compiler::with_sources(compiler::without_debug_info(compiled.module), sources);
  compiler::rename_source(compiled, how.name, program.name);
  outcome.ok = compiled.errors.empty();
  outcome.log = std::move(compiled.log);
  // Errors that clang did not write have no line in the log yet.
  if (!outcome.ok && outcome.log.find("error: ") == std::string::npos)
    outcome.log += format_all(compiled.errors);
  outcome.told_bytes = std::move(compiled.module);
  sources[0].name = program.name;
  outcome.sources = std::move(sources);
  outcome.uniform_groups = options.uniform_groups || has_only_uniform_groups(options.standard);
  outcome.argument_info = options.argument_info;
  outcome.is_for_checks = !how.optimise;
}

/// Builds a program without a source: its module with specialised constants.
void take_loaded(const Module& loaded, const _cl_program& program, const BuildOptions& options,
                 const SpecConstants& constants, Outcome& outcome) {
  const bool is_binary = program.origin == Origin::kBinary;
  outcome.loaded = loaded;
  outcome.module_bytes = specialised(loaded.words(), constants);
  if (is_binary) outcome.told_bytes = named_after(outcome.module_bytes, program.name);
  const std::vector<std::byte>& told = is_binary ? outcome.told_bytes : outcome.module_bytes;
  outcome.sources = compiler::embedded_sources(compiler::words_of(told));
  outcome.ok = true;
  const std::string& language = loaded.info().source_language;
  outcome.uniform_groups =
      options.uniform_groups || (is_binary && transpire::has_only_uniform_groups(language));
}

void check_build_devices(const _cl_program& program, cl_uint count, const cl_device_id* list) {
  check((list == nullptr) == (count == 0), CL_INVALID_VALUE);
  for (cl_uint i = 0; i < count; ++i) {
    const auto is_it = [&](const auto& device) { return device.get() == list[i]; };
    check(std::any_of(program.devices.begin(), program.devices.end(), is_it), CL_INVALID_DEVICE);
  }
}

/// The input of a build. The program's own members may change while the build runs.
struct Start {
  std::vector<std::optional<Module>> loaded;  ///< by image
  SpecConstants constants;
};

/// Between this call and `end` nobody else may build the program.
Start begin(_cl_program& program, const char* options) {
  const std::lock_guard lock(program.mutex);
  check(program.status != CL_BUILD_IN_PROGRESS && program.kernels == 0, CL_INVALID_OPERATION);
  Start start{{}, program.spec_constants};
  for (Image& image : program.images) {
    start.loaded.push_back(image.loaded);
    image.log.clear();
  }
  program.build_options = options == nullptr ? "" : options;
  program.status = CL_BUILD_IN_PROGRESS;
  return start;
}

/// The caller holds the program's mutex.
void keep(_cl_program& program, cl_program_binary_type type, std::vector<Outcome> outcomes) {
  program.status = CL_BUILD_SUCCESS;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Outcome& outcome = outcomes[i];
    outcome.binary_type = outcome.ok ? type : CL_PROGRAM_BINARY_TYPE_NONE;
    if (!outcome.ok) {
      outcome.module_bytes.clear();
      outcome.told_bytes.clear();
      outcome.module.reset();
      program.status = CL_BUILD_ERROR;
    }
    program.images[i] = std::move(outcome);
  }
}

/// Runs the work for each image, and `end` also after an exception.
template <class Work>
bool run_build(_cl_program& program, const Start& start, cl_program_binary_type type, Work work) {
  std::vector<Outcome> outcomes(start.loaded.size());
  const auto end = [&] {
    const std::lock_guard lock(program.mutex);
    keep(program, type, std::move(outcomes));
    return program.status == CL_BUILD_SUCCESS;
  };
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i].loaded = start.loaded[i];
  try {
    for (std::size_t i = 0; i < outcomes.size(); ++i) work(outcomes[i], i);
  } catch (...) {
    for (Outcome& outcome : outcomes) outcome.ok = false;
    end();
    throw;
  }
  return end();
}

/// Reports why a program without a source was not built: applications seldom ask for that log.
void tell_failure(_cl_program& program, const char* call) {
  if (program.origin == Origin::kSource) return;
  std::string log;
  {
    const std::lock_guard lock(program.mutex);
    for (const Image& image : program.images) log += image.log;
  }
  program.context->report_refusal(fmt::format("{}: {}", call, log));
}

/// Builds or compiles a program from its source, or from its loaded module.
void translate(const _cl_program& program, const BuildOptions& options, const Start& start,
               const std::vector<SourceHeader>& headers, Outcome& outcome) {
  if (program.origin == Origin::kSource)
    compile(program, options, headers, outcome);
  else
    take_loaded(Module(*outcome.loaded), program, options, start.constants, outcome);
}

bool is_built(_cl_program& program) {
  const std::lock_guard lock(program.mutex);
  return program.status == CL_BUILD_SUCCESS;
}

/// Refuses a source if no compiler works. The build log names the missing programs.
void require_compiler(_cl_program& program, const char* text) {
  if (program.origin != Origin::kSource) return;
  const auto toolchain = compiler::find_toolchain();
  if (toolchain) return;
  if (!is_built(program))  // the result of an earlier build stays
    run_build(program, begin(program, text), CL_PROGRAM_BINARY_TYPE_NONE,
              [&](Outcome& outcome, std::size_t) { outcome.log = format_all(toolchain.errors()); });
  throw ApiError{CL_COMPILER_NOT_AVAILABLE};
}

void build(_cl_program& program, const char* text) {
  const auto options = parse_build_options(text, OptionsOf::kBuild);
  check(options.has_value(), CL_INVALID_BUILD_OPTIONS);
  check(program.origin != Origin::kLinked, CL_INVALID_OPERATION);
  require_compiler(program, text);
  const Start start = begin(program, text);
  const auto work = [&](Outcome& outcome, std::size_t) {
    translate(program, *options, start, {}, outcome);
    if (outcome.ok) load_executable(outcome, program, start.constants);
  };
  if (run_build(program, start, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, work)) return;
  tell_failure(program, "clBuildProgram");
  throw ApiError{CL_BUILD_PROGRAM_FAILURE};
}

std::vector<SourceHeader> headers_of(cl_uint count, const cl_program* programs,
                                     const char** names) {
  check((count == 0) == (programs == nullptr) && (count == 0) == (names == nullptr),
        CL_INVALID_VALUE);
  std::vector<SourceHeader> headers;
  for (cl_uint i = 0; i < count; ++i) {
    check_object(programs[i], CL_INVALID_PROGRAM);
    check(programs[i]->origin == Origin::kSource, CL_INVALID_PROGRAM);
    check(names[i] != nullptr, CL_INVALID_VALUE);
    headers.push_back({names[i], programs[i]->source});
  }
  return headers;
}

void compile_object(_cl_program& program, const char* text,
                    const std::vector<SourceHeader>& headers) {
  const auto options = parse_build_options(text, OptionsOf::kCompile);
  check(options.has_value(), CL_INVALID_COMPILER_OPTIONS);
  check(program.origin == Origin::kSource || program.origin == Origin::kIl, CL_INVALID_OPERATION);
  require_compiler(program, text);
  const Start start = begin(program, text);
  const auto work = [&](Outcome& outcome, std::size_t) {
    translate(program, *options, start, headers, outcome);
  };
  if (run_build(program, start, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, work)) return;
  tell_failure(program, "clCompileProgram");
  throw ApiError{CL_COMPILE_PROGRAM_FAILURE};
}

/// A program to link: its images, and the image of each device.
struct LinkInput {
  struct Part : LinkPart {
    bool uniform_groups;
    bool argument_info;
    bool is_for_checks;
  };
  std::vector<Part> parts;
  std::vector<std::size_t> part_of_device;
};

using Devices = std::vector<Ref<_cl_device_id>>;

std::vector<LinkInput> link_inputs(cl_uint count, const cl_program* programs,
                                   const Devices& devices) {
  check(count != 0 && programs != nullptr, CL_INVALID_VALUE);
  std::vector<LinkInput> inputs(count);
  for (cl_uint i = 0; i < count; ++i) {
    check_object(programs[i], CL_INVALID_PROGRAM);
    const std::lock_guard lock(programs[i]->mutex);
    check(programs[i]->status != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION);
    for (const Image& image : programs[i]->images) {
      check(image.binary_type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                image.binary_type == CL_PROGRAM_BINARY_TYPE_LIBRARY,
            CL_INVALID_OPERATION);
      inputs[i].parts.push_back(
          {{programs[i]->name, image.module_bytes, image.told_bytes, image.sources},
           image.uniform_groups,
           image.argument_info,
           image.is_for_checks});
    }
    for (const auto& device : devices)
      inputs[i].part_of_device.push_back(programs[i]->image_number(device.get()));
  }
  return inputs;
}

/// Links modules. On failure returns none and writes the reason to the log.
std::optional<Module> link_modules(const std::vector<std::vector<std::byte>>& texts, bool library,
                                   std::string& log) {
  std::vector<Module> modules;
  for (const std::vector<std::byte>& text : texts) {
    Result<Module> module = Module::load(text);
    if (!module) {
      log += format_all(module.errors());
      return std::nullopt;
    }
    modules.push_back(*std::move(module));
  }
  Result<Module> linked = Module::link(modules, {}, library);
  if (linked) return *std::move(linked);
  log += format_all(linked.errors());
  return std::nullopt;
}

/// Links the parts for one device.
void link(const _cl_program& program, const std::vector<LinkInput>& inputs, std::size_t device,
          bool library, Outcome& outcome) {
  std::vector<const LinkPart*> parts;
  outcome.is_for_checks = true;
  for (const LinkInput& input : inputs) {
    const LinkInput::Part& part = input.parts[input.part_of_device[device]];
    parts.push_back(&part);
    outcome.uniform_groups |= part.uniform_groups;
    outcome.argument_info &= part.argument_info;
    outcome.is_for_checks &= part.is_for_checks;
  }
  LinkTexts texts = link_texts(parts);
  outcome.sources = std::move(texts.sources);
  const std::optional<Module> told = link_modules(texts.told, library, outcome.log);
  const std::optional<Module> plain =
      told ? link_modules(texts.plain, library, outcome.log) : std::nullopt;
  if (!plain) return;
  outcome.told_bytes = specialised(told->words(), {});
  outcome.module_bytes = specialised(plain->words(), {});
  outcome.ok = true;
  if (!library) load_executable(outcome, program, {});
}

/// Makes an image for each set of devices that get the same parts. Returns one device of each set.
std::vector<std::size_t> share_images(_cl_program& program, const std::vector<LinkInput>& inputs) {
  std::vector<std::size_t> first;
  const auto gets_same = [&](std::size_t a, std::size_t b) {
    return std::all_of(inputs.begin(), inputs.end(), [=](const LinkInput& input) {
      return input.part_of_device[a] == input.part_of_device[b];
    });
  };
  for (std::size_t device = 0; device < program.devices.size(); ++device) {
    const auto same = std::find_if(first.begin(), first.end(),
                                   [&](std::size_t other) { return gets_same(other, device); });
    program.image_numbers.push_back(static_cast<std::size_t>(same - first.begin()));
    if (same == first.end()) first.push_back(device);
  }
  program.images.resize(first.size());
  return first;
}

/// Returns a program even if linking failed, for its log; `code` gets the error.
cl_program link_program(_cl_context& context, Devices devices, const char* text,
                        const std::vector<LinkInput>& inputs, cl_int& code) {
  const auto options = parse_build_options(text, OptionsOf::kLink);
  check(options.has_value(), CL_INVALID_LINKER_OPTIONS);
  const auto release = [](_cl_program* made) { made->release(); };
  std::unique_ptr<_cl_program, decltype(release)> program(
      new _cl_program(context, Origin::kLinked));
  program->devices = std::move(devices);
  const std::vector<std::size_t> device_of_image = share_images(*program, inputs);
  const Start start = begin(*program, text);
  const cl_program_binary_type type =
      options->create_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  const auto work = [&](Outcome& outcome, std::size_t image) {
    link(*program, inputs, device_of_image[image], options->create_library, outcome);
  };
  if (!run_build(*program, start, type, work)) code = CL_LINK_PROGRAM_FAILURE;
  return program.release();
}

/// Calls back once the build has begun, with any result. An exception of `body` before that is an
/// error of the call, without a callback.
template <class Body>
cl_int notified(cl_program program, Notify notify, void* user_data, cl_int failure, Body&& body) {
  const cl_int code = guarded(body);
  const bool begun = code == CL_SUCCESS || code == failure;
  if (begun && notify != nullptr) notify(program, user_data);
  return code;
}

/// Loads the executables among the binaries of a program that was not built.
void load_unbuilt(_cl_program& program) {
  bool ok = true;
  for (Image& image : program.images) {
    if (image.binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) continue;
    Outcome outcome;
    take_loaded(*image.loaded, program, {}, {}, outcome);
    load_executable(outcome, program, {});
    ok &= outcome.ok;
    outcome.binary_type = image.binary_type;
    image = std::move(outcome);
    program.status = ok ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  }
}

}  // namespace

void require_executable(_cl_program& program) {
  check(program.status != CL_BUILD_IN_PROGRESS, CL_INVALID_PROGRAM_EXECUTABLE);
  if (program.origin == Origin::kBinary && program.status == CL_BUILD_NONE) load_unbuilt(program);
  const auto has_module = [](const Image& image) { return image.module.has_value(); };
  check(std::any_of(program.images.begin(), program.images.end(), has_module),
        CL_INVALID_PROGRAM_EXECUTABLE);
}

}  // namespace transpire::opencl

using namespace transpire::opencl;

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
                                  const cl_device_id* device_list, const char* options,
                                  Notify notify, void* user_data) {
  return notified(program, notify, user_data, CL_BUILD_PROGRAM_FAILURE, [&] {
    check_object(program, CL_INVALID_PROGRAM);
    check_notify(notify, user_data);
    check_build_devices(*program, num_devices, device_list);
    build(*program, options);
  });
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices,
                                    const cl_device_id* device_list, const char* options,
                                    cl_uint num_input_headers, const cl_program* input_headers,
                                    const char** header_include_names, Notify notify,
                                    void* user_data) {
  return notified(program, notify, user_data, CL_COMPILE_PROGRAM_FAILURE, [&] {
    check_object(program, CL_INVALID_PROGRAM);
    check_notify(notify, user_data);
    check_build_devices(*program, num_devices, device_list);
    compile_object(*program, options,
                   headers_of(num_input_headers, input_headers, header_include_names));
  });
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
                                     const cl_device_id* device_list, const char* options,
                                     cl_uint num_input_programs, const cl_program* input_programs,
                                     Notify notify, void* user_data, cl_int* errcode_ret) {
  cl_program program = nullptr;
  cl_int code = CL_SUCCESS;
  const cl_int thrown = guarded([&] {
    check_object(context, CL_INVALID_CONTEXT);
    check((device_list == nullptr) == (num_devices == 0), CL_INVALID_VALUE);
    check_notify(notify, user_data);
    Devices devices;
    for (cl_uint i = 0; i < num_devices; ++i) {
      check(context->has(device_list[i]), CL_INVALID_DEVICE);
      devices.emplace_back(device_list[i]);
    }
    if (num_devices == 0) devices = context->devices;
    const auto inputs = link_inputs(num_input_programs, input_programs, devices);
    program = link_program(*context, std::move(devices), options, inputs, code);
  });
  if (thrown != CL_SUCCESS) code = thrown;
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (program != nullptr && notify != nullptr) notify(program, user_data);
  return program;
}

/// The compiler is a process that runs only while it compiles.
cl_int CL_API_CALL clUnloadCompiler() { return CL_SUCCESS; }

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id of) {
  return guarded([&] { check(of == &platform(), CL_INVALID_PLATFORM); });
}
