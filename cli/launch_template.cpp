// A launch file to start from: see the header.
//
// The global size has as many dimensions as the kernel reads ids of. Images have the global size,
// buffers have room for the longest vector that each work-item moves, and local memory has room for
// two elements of each work-item of a group.
#include "cli/launch_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "launch/language/block_part.h"
#include "launch/language/launch_writer.h"
#include "launch/language/parameters.h"
#include "launch/report/diagnose.h"
#include "launch/report/text.h"
#include "transpire/launch_hints.hpp"
#include "transpire/launch_rules.hpp"

namespace transpire::cli {
namespace {

using Sizes = std::array<std::uint64_t, 3>;

struct Shape {
  std::uint32_t dimensions = 1;
  Sizes global{1, 1, 1};
  Sizes local{};  ///< all 0: the VM chooses
};

std::uint64_t product(const Sizes& sizes) { return sizes[0] * sizes[1] * sizes[2]; }

constexpr Sizes kGlobalSizes[] = {
    {1024, 1, 1}, {64, 64, 1}, {16, 16, 16}};  ///< index: number of dimensions - 1
constexpr Sizes kLocalSizes[] = {{64, 1, 1}, {8, 8, 1}, {4, 4, 4}};

bool has_local_memory(const KernelInfo& kernel) {
  return std::ranges::any_of(kernel.parameters, [](const ParameterInfo& parameter) {
    return kind_of(parameter) == ParameterKind::kLocal;
  });
}

Shape shape_of(const KernelInfo& kernel, const LaunchHints& hints) {
  Shape shape;
  shape.dimensions = hints.dimensions;
  const auto asked =
      kernel.required_local_size ? kernel.required_local_size : kernel.local_size_hint;
  // A hostile module may ask for any size; a size that no device accepts is no start.
  const bool is_usable = asked && std::ranges::all_of(*asked, [](std::uint64_t size) {
                           return size != 0 && size <= kMaxGroupItems;
                         });
  if (is_usable) shape.local = *asked;
  for (std::uint32_t i = 1; i < 3; ++i)
    if (shape.local[i] > 1) shape.dimensions = std::max(shape.dimensions, i + 1);
  if (!is_usable && has_local_memory(kernel)) shape.local = kLocalSizes[shape.dimensions - 1];
  shape.global = kGlobalSizes[shape.dimensions - 1];
  for (std::size_t i = 0; i < 3; ++i)
    if (const std::uint64_t local = shape.local[i]; local != 0)
      shape.global[i] = (shape.global[i] + local - 1) / local * local;
  return shape;
}

/// Bytes of each local argument, chosen so that all of them and the kernel's own variables fit into
/// a device's local memory.
std::uint64_t local_bytes(const KernelInfo& kernel, const Shape& shape) {
  constexpr std::uint64_t kUsual = 1024;
  std::uint64_t count = 0, largest = 1;
  for (const ParameterInfo& parameter : kernel.parameters) {
    if (kind_of(parameter) != ParameterKind::kLocal) continue;
    ++count;
    if (!parameter.type.elements.empty())
      largest = std::max(largest, stride_bytes(parameter.type.elements[0]));
  }
  if (count == 0) return kUsual;
  const std::uint64_t room =
      (kLocalMemoryBytes - std::min(kLocalMemoryBytes, kernel.local_bytes)) / count;
  const std::uint64_t wanted =
      largest > room ? room : std::max(kUsual, 2 * product(shape.local) * largest);
  return std::max(largest, std::min(wanted, room / largest * largest));
}

launch::TemplateSizes sizes_of(const KernelInfo& kernel, const Shape& shape,
                               const LaunchHints& hints) {
  launch::TemplateSizes sizes;
  sizes.elements = product(shape.global) * hints.numbers_per_item;
  sizes.packets = product(shape.global);
  for (std::size_t i = 0; i < shape.dimensions; ++i) sizes.image[i] = shape.global[i];
  sizes.local_bytes = local_bytes(kernel, shape);
  return sizes;
}

std::string sizes_text(const Sizes& sizes, std::uint32_t dimensions) {
  return fmt::format("{}", fmt::join(sizes.begin(), sizes.begin() + dimensions, ","));
}

std::string geometry_lines(const KernelInfo& kernel, const Shape& shape) {
  std::string text = fmt::format("kernel {}\nglobal {}\n", kernel.name,
                                 sizes_text(shape.global, shape.dimensions));
  if (shape.local[0] == 0) return text + "local auto\n";
  return text + fmt::format("local {}{}\n", sizes_text(shape.local, shape.dimensions),
                            kernel.required_local_size ? "      # the kernel requires this" : "");
}

// Names in a module may have any characters; lines of a launch file may not.

std::string comment(std::string_view text) { return fmt::format("# {}\n", launch::one_line(text)); }

/// True for a word that is no index and has no character with a meaning in a launch file.
bool is_plain_name(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789";
  return launch::is_writable_name(name) && name.find_first_of(" =[],:") == std::string_view::npos &&
         name.find_first_not_of(kDigits) != std::string_view::npos;
}

/// Uses SET.BINDING or the index for a parameter whose name means something else in a launch file.
ParameterInfo with_plain_name(ParameterInfo parameter, std::size_t index) {
  std::string_view name = parameter.name;
  if (name.ends_with(parameter.binding_part)) name.remove_suffix(parameter.binding_part.size());
  if (!is_plain_name(name))
    parameter.name = parameter.binding
                         ? launch::binding_text(*parameter.binding) + parameter.binding_part
                         : fmt::to_string(index);
  return parameter;
}

bool is_push_constants(const ParameterInfo& parameter) {
  return parameter.by_value_struct && parameter.type.address_space == "push constant";
}

/// The block of a shader's parameter, whose members have statements of their own; null for other parameters.
const TypeInfo* block_of(const ParameterInfo& parameter) {
  const TypeInfo* const block = launch::pointee_of(parameter);
  const bool has_block =
      (parameter.binding && !parameter.holds_array) || is_push_constants(parameter);
  return has_block && block != nullptr && block->kind == TypeInfo::Kind::kStruct ? block : nullptr;
}

/// A member's name, or else its index; of push constants its offset.
std::string member_word(const ParameterInfo& parameter, const TypeInfo& block, std::size_t index) {
  const std::string_view name = launch::member(block, index).name;
  if (is_plain_name(name) && name.find('.') == name.npos) return std::string(name);
  return fmt::to_string(is_push_constants(parameter) ? block.member_offsets[index] : index);
}

std::string member_value(const TypeInfo& type, const launch::TemplateSizes& sizes) {
  constexpr std::size_t kMostNumbers = 32;
  if (launch::is_open_ended(type)) return fmt::format("zero:{}", sizes.elements);
  const std::size_t numbers = launch::leaves_of(type).size();
  if (numbers != 0 && numbers <= kMostNumbers) return launch::zero_literal(type);
  return numbers == 0 ? fmt::format("bytes:zero:{}", type.size_bytes) : "zero";
}

std::string member_lines(const ParameterInfo& parameter, const TypeInfo& block,
                         const launch::TemplateSizes& sizes) {
  std::string text;
  for (std::size_t i = 0; i < block.elements.size(); ++i) {
    std::string target = member_word(parameter, block, i);
    const bool is_name = block.elements.size() == 1 && target == parameter.name;
    if (parameter.binding && !is_name) target = parameter.name + '.' + target;
    text += fmt::format("{} {:<32} {}", parameter.binding ? "bind" : "push",
                        fmt::format("{} = {}", target, member_value(block.elements[i], sizes)),
                        comment(launch::text_of(block.elements[i])));
  }
  return text;
}

std::string argument_lines(const ParameterInfo& parameter, const launch::TemplateSizes& sizes) {
  if (parameter.is_unused)
    return comment(fmt::format("arg {}: the kernel does not use it", parameter.name));
  if (kind_of(parameter) == ParameterKind::kOpaque)
    return comment(fmt::format("arg {}: {} is not supported", parameter.name,
                               launch::text_of(parameter.type)));
  if (const TypeInfo* const block = block_of(parameter))
    return member_lines(parameter, *block, sizes);
  return fmt::format("{} {:<32} {}", parameter.binding ? "bind" : "arg",
                     argument_template(parameter, sizes),
                     comment(launch::text_of(value_type(parameter))));
}

/// The elements of a written buffer that are shown: of a block, those of its run-time array, or all of it.
std::string shown_elements(const ParameterInfo& parameter) {
  const TypeInfo* const block = block_of(parameter);
  if (block == nullptr) return parameter.name + "[0..7]";
  if (!launch::is_open_ended(*block)) return parameter.name;
  return fmt::format("{}.{}[0..7]", parameter.name,
                     member_word(parameter, *block, block->elements.size() - 1));
}

std::string launch_of(const KernelInfo& kernel, const Module& module) {
  std::string text = "\n";
  if (!launch::is_writable_name(kernel.name))
    return text + comment(fmt::format("kernel {}: no launch file can say this name",
                                      launch::in_quotes(kernel.name)));
  for (const Diagnostic& reason : module.unsupported(kernel.name))
    text += comment(fmt::format("does not run: {} {}", reason.rule, reason.message));
  const LaunchHints hints = launch_hints(module, kernel.name);
  const Shape shape = shape_of(kernel, hints);
  const launch::TemplateSizes sizes = sizes_of(kernel, shape, hints);
  text += geometry_lines(kernel, shape);
  std::string first_buffer, first_other;  // elements to show; first_other: of an image or a pipe
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const ParameterInfo parameter = with_plain_name(kernel.parameters[i], i);
    text += argument_lines(parameter, sizes);
    const bool written =
        kind_of(parameter) == ParameterKind::kBuffer && !parameter.no_write &&
        (block_of(parameter) != nullptr || launch::template_elements(parameter, sizes) >= 8);
    if (!is_plain_name(parameter.name)) continue;
    if (written && first_buffer.empty()) first_buffer = shown_elements(parameter);
    const bool is_other = parameter.image || parameter.pipe;
    if (is_other && parameter.access != "read_only" && first_other.empty())
      first_other = parameter.name + "[0..7]";
  }
  text += "launch\n";
  const std::string& shown = first_buffer.empty() ? first_other : first_buffer;
  return shown.empty() ? text : text + fmt::format("print {}\n", shown);
}

/// The module's path, relative to the folder of `output`.
std::string module_path(const std::string& file, const std::string& output) {
  const std::filesystem::path folder = std::filesystem::path(output).parent_path();
  if (folder.empty() || file == "-" || std::filesystem::path(file).is_absolute()) return file;
  std::error_code error;
  const auto path = std::filesystem::proximate(file, folder, error);
  return error ? file : path.string();
}

}  // namespace

Result<std::string> launch_template(const InfoOptions& options, const Module& module,
                                    const std::vector<std::string>& words) {
  const ModuleInfo& info = module.info();
  LaunchWriter head;
  head.module(module_path(options.file, options.output));
  if (const Status written = head.options(words); !written) return written.errors();
  std::string text = head.text();
  for (const SpecConstantInfo& constant : info.spec_constants)
    text +=
        comment(fmt::format("spec {} = {}:{}", constant.spec_id, launch::text_of(constant.type),
                            format_number(constant.default_bits,
                                          scalar_of(constant.type).value_or(ScalarType::kUlong))));
  for (const VariableInfo& variable : info.variables)
    text += comment(
        fmt::format("variable {:<28} # {}, before the first launch",
                    fmt::format("{} = bytes:zero:{}", variable.name, variable.type.size_bytes),
                    launch::text_of(variable.type)));
  for (const KernelInfo& kernel : info.kernels)
    if (options.kernel.empty() ? !kernel.is_enqueued : kernel.name == options.kernel)
      text += launch_of(kernel, module);
  return text;
}

}  // namespace transpire::cli
