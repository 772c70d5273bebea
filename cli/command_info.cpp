// `transpire info`: describes a module, or writes a launch file to start from.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/launch_template.h"
#include "launch/language/image_argument.h"
#include "launch/language/parameters.h"
#include "launch/report/diagnose.h"
#include "launch/runner/run_plan.h"
#include "transpire/transpire.hpp"

namespace transpire::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

std::string format_members(const TypeInfo& type) {
  std::string text;
  for (std::size_t i = 0; i < type.elements.size(); ++i) {
    const std::string name = i < type.member_names.size() ? type.member_names[i] : "";
    text += fmt::format(
        "         {:>4}  {} {}\n", i < type.member_offsets.size() ? type.member_offsets[i] : 0,
        launch::text_of(type.elements[i]), type.elements[i].is_padding ? "(padding)" : name);
  }
  return text;
}

/// "  (packets of 16 bytes)"; empty if the size is unknown.
std::string format_packets(const PipeParameterInfo& pipe) {
  if (pipe.packet_bytes == 0) return {};
  return fmt::format("  (packets of {} byte{})", pipe.packet_bytes,
                     pipe.packet_bytes == 1 ? "" : "s");
}

std::string format_parameter(std::size_t index, const ParameterInfo& parameter) {
  const TypeInfo& type = value_type(parameter);
  std::string text = fmt::format("  {:>3}  {}{} {}", index,
                                 parameter.no_write && !parameter.by_value_struct ? "const " : "",
                                 launch::text_of(type), parameter.name);
  if (!parameter.place.empty())
    text += fmt::format("  ({})", parameter.place);
  else if (const auto& at = parameter.binding)
    text += fmt::format("  (set {}, binding {}{})", (*at)[0], (*at)[1],
                        parameter.in_open_array ? ", an array without a length" : "");
  if (type.kind == TypeInfo::Kind::kPointer) {
    const TypeInfo* pointee = type.elements.empty() ? nullptr : &type.elements[0];
    text += pointee != nullptr && pointee->size_bytes != 0
                ? fmt::format("  ({} bytes an element)\n", stride_bytes(*pointee))
                : "\n";
    if (pointee != nullptr && pointee->kind == TypeInfo::Kind::kStruct)
      text += format_members(*pointee);
    return text;
  }
  const ParameterKind kind = kind_of(parameter);
  if (kind == ParameterKind::kOpaque || kind == ParameterKind::kSampler ||
      kind == ParameterKind::kQueue)
    return text + "\n";
  if (kind == ParameterKind::kImage && parameter.image->needs_texels)
    return text + fmt::format("  ({})\n", wanted_image(*parameter.image));
  if (kind == ParameterKind::kImage) {
    const std::string_view texels = texel_type_name(parameter.image->texels);
    return text + (texels.empty() ? "\n" : fmt::format("  (texels are {})\n", texels));
  }
  if (kind == ParameterKind::kPipe) return text + format_packets(*parameter.pipe) + "\n";
  text += fmt::format("  ({} bytes by value)\n", type.size_bytes);
  return type.kind == TypeInfo::Kind::kStruct ? text + format_members(type) : text;
}

std::string format_kernel(const KernelInfo& kernel, const Diagnostics& unsupported) {
  std::string text = fmt::format("\nkernel {}{}\n", kernel.name,
                                 kernel.is_enqueued ? "  (other kernels enqueue it)" : "");
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    text += format_parameter(i, kernel.parameters[i]);
  if (!kernel.execution_modes.empty())
    text += fmt::format("  execution modes: {}\n", joined(kernel.execution_modes));
  for (const Diagnostic& reason : unsupported)
    text += fmt::format("  does not run: {} {}\n", reason.rule, reason.message);
  return text;
}

std::string format_info(const ModuleInfo& info, const std::vector<Diagnostics>& unsupported) {
  std::string text = fmt::format("{}: SPIR-V {}, {}-bit pointers", info.name, info.spirv_version,
                                 info.pointer_bits);
  if (!info.source_language.empty()) text += ", " + info.source_language;
  text += fmt::format("\ngenerator: {}\ncapabilities: {}\nextensions: {}\n", info.generator,
                      joined(info.capabilities), joined(info.extensions));
  for (const SpecConstantInfo& constant : info.spec_constants)
    text += fmt::format("specialisation constant {}: {} {} = {}\n", constant.spec_id,
                        launch::text_of(constant.type), constant.name,
                        format_number(constant.default_bits,
                                      scalar_of(constant.type).value_or(ScalarType::kUlong)));
  for (const VariableInfo& variable : info.variables)
    text += fmt::format("program-scope variable: {} {}  ({} bytes)\n",
                        launch::text_of(variable.type), variable.name, variable.type.size_bytes);
  const bool is_shader = std::ranges::find(info.capabilities, "Shader") != info.capabilities.end();
  if (info.kernels.empty())
    text += is_shader ? "\nno kernels: this is a shader, for graphics\n" : "\nno kernels\n";
  for (std::size_t i = 0; i < info.kernels.size(); ++i)
    text += format_kernel(info.kernels[i], unsupported[i]);
  return text;
}

/// Refuses options that exclude each other.
Status check_options(const InfoOptions& options) {
  if (options.launch_template && options.json())
    return command_error(kBadCommandLine, "--template and --format=json do not go together",
                         "the template is a launch file in its text form");
  if (!options.launch_template && !options.output.empty())
    return command_error(kBadCommandLine, "--output needs --template");
  return Unit{};
}

int write_template(const InfoOptions& options, const Module& module,
                   const std::vector<std::string>& words) {
  const auto text = launch_template(options, module, words);
  if (!text) return fail("info", options, text.errors());
  if (options.output.empty()) {
    print(*text);
    return kSuccess;
  }
  const Status written = write_file(options.output, std::as_bytes(std::span(*text)));
  return written ? static_cast<int>(kSuccess) : fail("info", options, written.errors());
}

}  // namespace

int command_info(const InfoOptions& options) {
  if (const Status good = check_options(options); !good)
    return fail("info", options, good.errors());
  auto words = words_of(options.build_options);
  if (!words) return fail("info", options, words.errors());
  LoadOptions load;
  load.build_options = std::move(words).value();
  const auto module = load_module_file(options.file, load);
  if (!module) return fail("info", options, module.errors());
  ModuleInfo info = module->info();
  if (!options.kernel.empty()) {
    if (const auto kernel = find_kernel(info, options.kernel); !kernel)
      return fail("info", options, kernel.errors());
    std::erase_if(info.kernels,
                  [&](const KernelInfo& kernel) { return kernel.name != options.kernel; });
  }
  if (options.launch_template) return write_template(options, *module, load.build_options);
  const auto text = within_memory("describing the module", [&]() -> Result<std::string> {
    std::vector<Diagnostics> unsupported;
    for (const KernelInfo& kernel : info.kernels)
      unsupported.push_back(module->unsupported(kernel.name));
    return options.json() ? json_of_info(info, unsupported) : format_info(info, unsupported);
  });
  if (!text) return fail("info", options, text.errors());
  print(*text);
  return kSuccess;
}

}  // namespace transpire::cli
