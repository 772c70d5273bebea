// Gives the source files of the modules that clLinkProgram links names that tell them apart in
// findings of the linked program.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "opencl/program.h"

namespace transpire::opencl {

/// The modules of one program that is linked.
struct LinkPart {
  std::string program;                 ///< the program's name
  std::vector<std::byte> plain, told;  ///< Image::module_bytes, Image::told_bytes
  std::vector<SourceText> sources;
};

/// The modules to link. Headers of the same name with different texts get the name of the program
/// that includes them.
struct LinkTexts {
  /// For the program that runs: with the names that this process gave.
  std::vector<std::vector<std::byte>> told;
  /// For the binary: with the parts' numbers, so it does not depend on other programs of the
  /// process.
  std::vector<std::vector<std::byte>> plain;
  std::vector<SourceText> sources;  ///< files that `told` names
};
LinkTexts link_texts(const std::vector<const LinkPart*>& parts);

}  // namespace transpire::opencl
