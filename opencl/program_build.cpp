// Building, compiling and linking programs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "opencl/api.h"
#include "opencl/build_options.h"
#include "opencl/platform.h"
#include "opencl/program.h"

namespace transpire::opencl {
namespace {

using Origin = _cl_program::Origin;
using Notify = void(CL_CALLBACK*)(cl_program, void*);

/// What a build leaves in its program.
struct Outcome {
  bool ok = false;
  std::string log;
  std::vector<std::byte> module_bytes;
  std::optional<Module> module;  ///< of an executable
  std::map<std::string, std::string> refusals;
  bool uniform_groups = false;
  bool argument_info = true;
};

std::string cache_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (variable("TRANSPIRE_CL_CACHE") == "0") return {};
  if (const std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/'))
    return cache + "/transpire";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/transpire";
  return {};
}

/// Loads an executable, and says in the log which of its kernels the VM does not run.
void load_executable(Outcome& outcome, const char* name) {
  LoadOptions options;
  options.name = name;
  Result<Module> module = Module::load(outcome.module_bytes, options);
  outcome.ok = module.ok();
  if (!module) {
    outcome.log += format_all(module.errors());
    return;
  }
  for (const KernelInfo& kernel : module->info().kernels) {
    Diagnostics refusals = module->unsupported(kernel.name);
    if (refusals.empty()) continue;
    outcome.refusals[kernel.name] = format_all(refusals);
    for (Diagnostic& refusal : refusals) refusal.severity = Severity::kWarning;
    outcome.log += fmt::format("warning: kernel '{}' cannot be created:\n{}", kernel.name,
                               format_all(refusals));
  }
  outcome.module = *std::move(module);
}

void compile(const _cl_program& program, const BuildOptions& options,
             std::vector<SourceHeader> headers, Outcome& outcome) {
  CompileOptions how;
  how.options = language_options(options);
  how.options.insert(how.options.end(), options.clang.begin(), options.clang.end());
  how.options.emplace_back("-I.");
  how.headers = std::move(headers);
  how.optimise = options.optimise;
  how.cache_folder = cache_folder();
  const std::string text =
      fmt::format("{}#line 1 \"{}\"\n{}", language_prologue(options), how.name, program.source);
  CompiledSource compiled = compile_source(text, how);
  outcome.ok = compiled.errors.empty();
  outcome.log = std::move(compiled.log);
  // What went wrong beside clang has no line there.
  if (!outcome.ok && outcome.log.find("error: ") == std::string::npos)
    outcome.log += format_all(compiled.errors);
  outcome.module_bytes = std::move(compiled.module);
  outcome.uniform_groups = options.uniform_groups || has_only_uniform_groups(options.standard);
  outcome.argument_info = options.argument_info;
}

/// The module of a program that has no source, constants specialised.
void take_loaded(const _cl_program& program, const BuildOptions& options, Outcome& outcome) {
  outcome.module_bytes = specialised(program.loaded->words(), program.spec_constants);
  outcome.ok = true;
  const std::string& language = program.loaded->info().source_language;
  outcome.uniform_groups = options.uniform_groups || (program.origin == Origin::kBinary &&
                                                      language.starts_with("OpenCL C 1"));
}

void check_build_devices(const _cl_program& program, cl_uint count, const cl_device_id* list) {
  check((list == nullptr) == (count == 0), CL_INVALID_VALUE);
  for (cl_uint i = 0; i < count; ++i) {
    const auto is_it = [&](const auto& device) { return device.get() == list[i]; };
    check(std::any_of(program.devices.begin(), program.devices.end(), is_it), CL_INVALID_DEVICE);
  }
}

/// From here to `end` nobody else may build the program.
void begin(_cl_program& program, const char* options) {
  const std::lock_guard lock(program.mutex);
  check(program.build.status != CL_BUILD_IN_PROGRESS && program.kernels == 0, CL_INVALID_OPERATION);
  program.build.status = CL_BUILD_IN_PROGRESS;
  program.build.options = options == nullptr ? "" : options;
  program.build.log.clear();
}

/// The program's mutex is held.
void keep(_cl_program& program, cl_program_binary_type type, Outcome outcome) {
  program.build.status = outcome.ok ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  program.build.binary_type = outcome.ok ? type : CL_PROGRAM_BINARY_TYPE_NONE;
  program.build.log = std::move(outcome.log);
  program.module_bytes = outcome.ok ? std::move(outcome.module_bytes) : std::vector<std::byte>{};
  program.module = std::move(outcome.module);
  program.refusals = std::move(outcome.refusals);
  program.uniform_groups = outcome.uniform_groups;
  program.argument_info = outcome.argument_info;
}

void end(_cl_program& program, cl_program_binary_type type, Outcome outcome) {
  const std::lock_guard lock(program.mutex);
  keep(program, type, std::move(outcome));
}

/// Runs the work between `begin` and `end`, also where it fails by an exception.
template <class Work>
bool run_build(_cl_program& program, cl_program_binary_type type, Work work) {
  Outcome outcome;
  try {
    work(outcome);
  } catch (...) {
    end(program, type, {});
    throw;
  }
  const bool ok = outcome.ok;
  end(program, type, std::move(outcome));
  return ok;
}

void build(_cl_program& program, const char* text) {
  const auto options = parse_build_options(text, OptionsOf::kBuild);
  check(options.has_value(), CL_INVALID_BUILD_OPTIONS);
  check(program.origin != Origin::kLinked, CL_INVALID_OPERATION);
  const bool from_source = program.origin == Origin::kSource;
  check(!from_source || can_compile_source(), CL_COMPILER_NOT_AVAILABLE);
  begin(program, text);
  const bool ok = run_build(program, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, [&](Outcome& outcome) {
    if (from_source)
      compile(program, *options, {}, outcome);
    else
      take_loaded(program, *options, outcome);
    if (outcome.ok) load_executable(outcome, from_source ? "<source>" : "<program>");
  });
  check(ok, CL_BUILD_PROGRAM_FAILURE);
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

void compile_object(_cl_program& program, const char* text, std::vector<SourceHeader> headers) {
  const auto options = parse_build_options(text, OptionsOf::kCompile);
  check(options.has_value(), CL_INVALID_COMPILER_OPTIONS);
  const bool from_source = program.origin == Origin::kSource;
  check(from_source || program.origin == Origin::kIl, CL_INVALID_OPERATION);
  check(!from_source || can_compile_source(), CL_COMPILER_NOT_AVAILABLE);
  begin(program, text);
  const auto work = [&](Outcome& outcome) {
    if (from_source)
      compile(program, *options, std::move(headers), outcome);
    else
      take_loaded(program, *options, outcome);
  };
  check(run_build(program, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, work),
        CL_COMPILE_PROGRAM_FAILURE);
}

struct LinkInput {
  std::vector<std::byte> module;
  bool uniform_groups;
  bool argument_info;
};

std::vector<LinkInput> link_inputs(cl_uint count, const cl_program* programs) {
  check(count != 0 && programs != nullptr, CL_INVALID_VALUE);
  std::vector<LinkInput> inputs;
  for (cl_uint i = 0; i < count; ++i) {
    check_object(programs[i], CL_INVALID_PROGRAM);
    const std::lock_guard lock(programs[i]->mutex);
    const cl_program_binary_type type = programs[i]->build.binary_type;
    check(type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || type == CL_PROGRAM_BINARY_TYPE_LIBRARY,
          CL_INVALID_OPERATION);
    inputs.push_back(
        {programs[i]->module_bytes, programs[i]->uniform_groups, programs[i]->argument_info});
  }
  return inputs;
}

void link(const std::vector<LinkInput>& inputs, bool library, Outcome& outcome) {
  std::vector<Module> modules;
  for (const LinkInput& input : inputs) {
    Result<Module> module = Module::load(input.module);
    if (!module) {
      outcome.log += format_all(module.errors());
      return;
    }
    modules.push_back(*std::move(module));
    outcome.uniform_groups |= input.uniform_groups;
    outcome.argument_info &= input.argument_info;
  }
  const Result<Module> linked = Module::link(modules, {}, library);
  if (!linked) {
    outcome.log += format_all(linked.errors());
    return;
  }
  outcome.module_bytes = specialised(linked->words(), {});
  outcome.ok = true;
  if (!library) load_executable(outcome, "<linked>");
}

/// Also gives a program where linking failed, for its log; `code` says that it did.
cl_program link_program(_cl_context& context, cl_uint num_devices, const cl_device_id* devices,
                        const char* text, const std::vector<LinkInput>& inputs, cl_int& code) {
  const auto options = parse_build_options(text, OptionsOf::kLink);
  check(options.has_value(), CL_INVALID_LINKER_OPTIONS);
  const auto release = [](_cl_program* made) { made->release(); };
  std::unique_ptr<_cl_program, decltype(release)> program(
      new _cl_program(context, Origin::kLinked));
  program->devices = context.devices;
  if (num_devices != 0) {
    program->devices.clear();
    for (cl_uint i = 0; i < num_devices; ++i) program->devices.emplace_back(devices[i]);
  }
  begin(*program, text);
  const cl_program_binary_type type =
      options->create_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  const bool ok = run_build(
      *program, type, [&](Outcome& outcome) { link(inputs, options->create_library, outcome); });
  if (!ok) code = CL_LINK_PROGRAM_FAILURE;
  return program.release();
}

/// Calls back when the build has begun, whatever became of it; what `body` throws before that is an
/// error of the call alone.
template <class Body>
cl_int notified(cl_program program, Notify notify, void* user_data, cl_int failure, Body&& body) {
  const cl_int code = guarded(body);
  const bool begun = code == CL_SUCCESS || code == failure;
  if (begun && notify != nullptr) notify(program, user_data);
  return code;
}

}  // namespace

void load_unbuilt(_cl_program& program) {
  if (program.origin != Origin::kBinary || program.build.status != CL_BUILD_NONE ||
      program.build.binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
    return;
  Outcome outcome;
  take_loaded(program, {}, outcome);
  load_executable(outcome, "<program>");
  keep(program, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, std::move(outcome));
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
    for (cl_uint i = 0; i < num_devices; ++i)
      check(context->has(device_list[i]), CL_INVALID_DEVICE);
    program = link_program(*context, num_devices, device_list, options,
                           link_inputs(num_input_programs, input_programs), code);
  });
  if (thrown != CL_SUCCESS) code = thrown;
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (program != nullptr && notify != nullptr) notify(program, user_data);
  return program;
}

/// The compiler is a program that runs only while it compiles.
cl_int CL_API_CALL clUnloadCompiler() { return CL_SUCCESS; }

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id of) {
  return guarded([&] { check(of == &platform(), CL_INVALID_PLATFORM); });
}
