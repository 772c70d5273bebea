// Names of later versions of OpenCL C: see the header. Sources: "The OpenCL C Specification" 2.0, its chapters on work-items,
// synchronization, work-groups, atomics, address spaces, pipes and enqueuing; 1.2 and 1.1 for the older ones.
#include "compiler/newer_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace transpire::compiler {
namespace {

struct Name {
  std::string_view name;  ///< with a '*' at its end: all that begin so
  unsigned version = 20;  ///< first version of OpenCL C that has it
};

constexpr std::array kNames{
    // Work-items, work-groups, synchronization.
    Name{"get_enqueued_local_size"},
    Name{"get_global_linear_id"},
    Name{"get_local_linear_id"},
    Name{"work_group_*"},
    Name{"atomic_work_item_fence"},
    Name{"memory_order*"},
    Name{"memory_scope*"},
    // Atomics.
    Name{"atomic_int"},
    Name{"atomic_uint"},
    Name{"atomic_long"},
    Name{"atomic_ulong"},
    Name{"atomic_half"},
    Name{"atomic_float"},
    Name{"atomic_double"},
    Name{"atomic_intptr_t"},
    Name{"atomic_uintptr_t"},
    Name{"atomic_size_t"},
    Name{"atomic_ptrdiff_t"},
    Name{"atomic_flag*"},
    Name{"atomic_init"},
    Name{"atomic_load*"},
    Name{"atomic_store*"},
    Name{"atomic_exchange*"},
    Name{"atomic_compare_exchange*"},
    Name{"atomic_fetch_*"},
    Name{"ATOMIC_VAR_INIT"},
    Name{"ATOMIC_FLAG_INIT"},
    // Generic pointers.
    Name{"to_global"},
    Name{"to_local"},
    Name{"to_private"},
    Name{"get_fence"},
    // Pipes.
    Name{"pipe"},
    Name{"read_pipe"},
    Name{"write_pipe"},
    Name{"reserve_id_t"},
    Name{"reserve_read_pipe"},
    Name{"reserve_write_pipe"},
    Name{"commit_read_pipe"},
    Name{"commit_write_pipe"},
    Name{"is_valid_reserve_id"},
    Name{"get_pipe_num_packets"},
    Name{"get_pipe_max_packets"},
    Name{"CLK_NULL_RESERVE_ID"},
    // Kernels that enqueue.
    Name{"queue_t"},
    Name{"clk_event_t"},
    Name{"ndrange_t"},
    Name{"ndrange_*"},
    Name{"enqueue_kernel"},
    Name{"enqueue_marker"},
    Name{"kernel_enqueue_flags_t"},
    Name{"clk_profiling_info"},
    Name{"get_default_queue"},
    Name{"get_kernel_*"},
    Name{"create_user_event"},
    Name{"retain_event"},
    Name{"release_event"},
    Name{"is_valid_event"},
    Name{"set_user_event_status"},
    Name{"capture_event_profiling_info"},
    Name{"CLK_ENQUEUE_*"},
    Name{"CLK_NULL_QUEUE"},
    Name{"CLK_NULL_EVENT"},
    Name{"CLK_PROFILING_*"},
    Name{"CLK_SUCCESS"},
    Name{"CLK_OUT_OF_RESOURCES"},
    // Others.
    Name{"ctz"},
    Name{"CLK_sRGB*"},
    Name{"popcount", 12},
    Name{"printf", 12},
};

/// A message of clang that says more than that a name is not declared.
struct Wording {
  std::string_view message;
  std::string_view line;  ///< required text of the source line; empty: any
  std::string_view what;  ///< feature of OpenCL C 2.0
};

constexpr std::array kWordings{
    Wording{"does not support the 'generic' type qualifier", "", "'generic' pointers"},
    Wording{"access qualifier can only be used for pipe and image type", "pipe", "pipes"},
    Wording{"blocks support disabled", "", "blocks, which kernels enqueue,"},
    Wording{"program scope variable must reside in constant address space", "",
            "program-scope variables in global memory"},
    Wording{"access qualifier 'read_write' can", "", "images that are read and written"},
};

bool is_of(std::string_view word, std::string_view pattern) {
  if (!pattern.ends_with('*')) return word == pattern;
  pattern.remove_suffix(1);
  return word.size() > pattern.size() && word.starts_with(pattern);
}

/// The version as 10 times major plus minor; 100 for languages that have everything.
unsigned version_in(const std::vector<std::string>& options) {
  unsigned version = 12;
  for (const std::string& option : options) {
    std::string_view word = option;
    if (!word.starts_with("-cl-std=") && !word.starts_with("-std=")) continue;
    word.remove_prefix(word.find('=') + 1);
    const bool is_c = word.size() == 5 && (word.starts_with("CL") || word.starts_with("cl"));
    version = is_c ? static_cast<unsigned>((word[2] - '0') * 10 + (word[4] - '0'))
              : word == "CL" || word == "cl" ? 10
                                             : 100;
  }
  return version;
}

std::string_view first_quoted(std::string_view text) {
  const std::size_t open = text.find('\'');
  if (open == text.npos) return {};
  const std::size_t close = text.find('\'', open + 1);
  return close == text.npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

bool speaks_of_name(std::string_view message) {
  return std::ranges::any_of(
      std::array{"undeclared identifier", "unknown type name", "implicit declaration of function"},
      [&](const char* words) { return message.find(words) != message.npos; });
}

std::string help_of(std::string_view what, std::string_view verb, unsigned version) {
  return fmt::format(
      "{} {} of OpenCL C {}.{}: ask for it with --build-options '-cl-std=CL{}.{}', or "
      "'options -cl-std=CL{}.{}' in a launch file",
      what, verb, version / 10, version % 10, version / 10, version % 10, version / 10,
      version % 10);
}

}  // namespace

std::string newer_version_help(std::string_view message, std::string_view line,
                               const std::vector<std::string>& options) {
  const unsigned version = version_in(options);
  for (const Wording& wording : kWordings)
    if (version < 20 && message.find(wording.message) != message.npos &&
        line.find(wording.line) != line.npos)
      return help_of(wording.what, "are", 20);
  if (!speaks_of_name(message)) return {};
  const std::string_view word = first_quoted(message);
  // In 3.0 some of 2.0 is optional, and clang may lack it.
  for (const Name& name : kNames)
    if (is_of(word, name.name) && (version < name.version || version == 30))
      return help_of(fmt::format("'{}'", word), "is", name.version);
  return {};
}

}  // namespace transpire::compiler
