// Options for loading a module. transpire/transpire.hpp includes this header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace transpire {

/// A source text, under the name that debug information has for it.
struct SourceText {
  std::string name;
  std::string text;
};

/// How many descriptors are bound to an array of a shader whose type has no length.
struct DescriptorCount {
  std::uint32_t set = 0, binding = 0, count = 1;
};

struct LoadOptions {
  std::string name = "<module>";  ///< name of the input in diagnostics
  /// Texts that the module was compiled from, if they are not files. Findings show lines of them.
  std::vector<SourceText> sources{};
  std::vector<std::pair<std::uint32_t, std::uint64_t>> specialisation;  ///< SpecId, bits
  /// Arrays of descriptors without a length have one element if they are not here. Others keep their length.
  std::vector<DescriptorCount> descriptor_counts{};
  std::vector<std::string> build_options;  ///< for OpenCL C: arguments for clang
  /// For OpenCL C: runs clang's optimiser. It deletes code with undefined behaviour, which checks then cannot find. An -O
  /// among `build_options` overrides this.
  bool optimise_source = true;
  /// Sets ModuleInfo::uniform_groups. Nothing: the source language and the build options decide.
  std::optional<bool> uniform_groups{};
  /// Time limit for reading, compiling and decoding; beyond it, loading fails with L0002. 0 = no limit. Assembling a text
  /// is not interrupted: the limit is checked before and after it.
  double timeout_seconds = 0;
  /// Limit of a file's size, beyond which loading fails with L0004. Reading a device file might never end.
  std::uint64_t max_file_bytes = std::uint64_t{4} << 30;
  /// For OpenCL C: keeps the names of structs' members, for which clang writes full debug information (-g). When false, the
  /// module keeps line numbers only.
  bool source_types = true;
};

}  // namespace transpire
