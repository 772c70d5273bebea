// The memory that a launch can reach, as statements of a launch file: nesting of buffers, names,
// and contents.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/language/value_spec.h"
#include "transpire/transpire.hpp"

namespace transpire::opencl {

struct RecordedMemory {
  /// Bytes that the record has, from before and after the launch.
  struct Root {
    enum class Kind { kBuffer, kShared, kVariable, kImage, kPipe };
    Kind kind = Kind::kBuffer;
    std::string name;
    std::span<std::byte> bytes;
    Buffer handle;                            ///< kVariable: keeps the bytes alive
    std::optional<transpire::Image> image{};  ///< kImage
    std::optional<transpire::Pipe> pipe{};    ///< kPipe
    std::vector<std::byte> packets{};         ///< kPipe: a copy, to which `bytes` refers
    /// kImage, kPipe: index of the first argument it is bound to; findings use that argument's
    /// name.
    std::size_t argument = 0;
    std::string parameter{};
  };
  /// A kernel's buffer: the whole of a root, or a slice of it.
  struct Part {
    std::string name;
    std::size_t root = 0;
    std::uint64_t offset_bytes = 0;
    Buffer buffer;
    bool is_whole = false;    ///< then it has no statement of its own
    std::string parameter{};  ///< first parameter it is bound to; findings use this name
  };
  std::vector<Root> roots;
  std::vector<Part> parts;
  std::vector<std::size_t> part_of_argument;  ///< by argument; for buffers only
  std::vector<std::size_t> root_of_argument;  ///< by argument; for images and pipes only

  /// The known undefined bytes of a root, in at most 1000 ranges.
  std::vector<launch::ByteRange> undefined_bytes(const Root& root) const;

  /// Copies the current packets of pipes.
  void look_at_pipes();

  /// The name that a finding of the record's run has for this launch's `allocation`; empty if that
  /// is unknown, or cannot be written.
  std::string name_of(const std::string& allocation) const;

  /// Throws std::runtime_error if a name cannot be written in a launch file, or if an image shares
  /// memory with something else that the launch reaches: launch files have no such images.
  RecordedMemory(const Launch& launch, const Device& device);

 private:
  void add_variables(const Launch& launch, const Device& device);
  void add_shared(const Launch& launch);
  void add_buffers(const Launch& launch);
  void add_handles(const Launch& launch);
  void check_apart(const transpire::Image& image, const std::string& parameter) const;
  bool is_unclear(const std::string& allocation) const;

  std::optional<SharedMemory> shared_;
  std::vector<std::string> shared_names_;  ///< names that findings use for shared memory
  void place_parts();
  std::string unique_name(const std::string& wanted, std::size_t index) const;
};

}  // namespace transpire::opencl
