// Linking of parts: what each has of a program, and the names of its files in the whole.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "opencl/program.h"

namespace transpire::opencl {

/// What a program that is linked gives to the whole.
struct LinkPart {
  std::string program;                 ///< its name
  std::vector<std::byte> plain, told;  ///< Image::module_bytes, told_bytes
  std::vector<SourceText> sources;
};

/// The parts as they are linked. Headers of one name that are not the same are told apart by the program that includes them.
struct LinkTexts {
  /// What runs: with the names that the process gives.
  std::vector<std::vector<std::byte>> told;
  /// What a binary holds: with numbers of the parts, whatever else the process made.
  std::vector<std::vector<std::byte>> plain;
  std::vector<SourceText> sources;  ///< of `told`
};
LinkTexts link_texts(const std::vector<const LinkPart*>& parts);

}  // namespace transpire::opencl
