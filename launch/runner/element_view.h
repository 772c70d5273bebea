// ElementView: the elements of a buffer that a print, an output or an expectation names.
#pragma once

#include "launch/runner/bind.h"
#include "launch/runner/compare.h"

namespace transpire::launch {

struct ElementView {
  BoundBufferPointer buffer;  ///< never null
  std::string name;           ///< as in the statement; a parameter's name in place of an index
  TypeInfo type;              ///< type of an element in this statement
  std::uint64_t first = 0;    ///< index of the first element
  std::uint64_t count = 0;    ///< elements that are there
  std::uint64_t asked = 0;    ///< elements named; more than `count` only for a pipe
  std::span<const std::byte> bytes;
};

/// The legal results for the bytes of a view, from the log. Launches log nothing for images and pipes.
RangeAt ranges_of(const ElementView& view, const ResultLog& log);

}  // namespace transpire::launch
