// The memory that a launch can reach, as the statements of a launch file: which buffers lie within
// others, what each is called, and where its bytes are.
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
  /// Bytes that are written to the record, before and after the launch.
  struct Root {
    enum class Kind { kBuffer, kShared, kVariable, kImage, kPipe };
    Kind kind = Kind::kBuffer;
    std::string name;
    std::span<std::byte> bytes;
    Buffer handle;                            ///< kVariable: keeps the bytes
    std::optional<transpire::Image> image{};  ///< kImage
    std::optional<transpire::Pipe> pipe{};    ///< kPipe
    std::vector<std::byte> packets{};         ///< kPipe: a copy, which `bytes` are
    /// kImage, kPipe: the index of the first that it is bound to, and its name, by which findings call it.
    std::size_t argument = 0;
    std::string parameter{};
  };
  /// A kernel's buffer: the whole of a root, or a slice of it.
  struct Part {
    std::string name;
    std::size_t root = 0;
    std::uint64_t offset_bytes = 0;
    Buffer buffer;
    bool is_whole = false;    ///< and has no statement of its own
    std::string parameter{};  ///< the first that it is bound to, by which findings call it
  };
  std::vector<Root> roots;
  std::vector<Part> parts;
  std::vector<std::size_t> part_of_argument;  ///< by argument; meaningful for buffers
  std::vector<std::size_t> root_of_argument;  ///< by argument; meaningful for images and pipes

  /// The bytes of a root that nobody has defined, as far as that is known, and in one thousand ranges at most.
  std::vector<launch::ByteRange> undefined_bytes(const Root& root) const;

  /// Copies what pipes have in them now.
  void look_at_pipes();

  /// What a finding of the record's run calls the memory that one of this launch calls `allocation`; empty where that
  /// cannot be told, or not be written.
  std::string name_of(const std::string& allocation) const;

  /// Throws std::runtime_error when a name cannot be written in a launch file, or when an image shares memory with something
  /// else that the launch reaches: a launch file has no such images.
  RecordedMemory(const Launch& launch, const Device& device);

 private:
  void add_variables(const Launch& launch, const Device& device);
  void add_shared(const Launch& launch);
  void add_buffers(const Launch& launch);
  void add_handles(const Launch& launch);
  void check_apart(const transpire::Image& image, const std::string& parameter) const;
  bool is_unclear(const std::string& allocation) const;

  std::optional<SharedMemory> shared_;
  std::vector<std::string> shared_names_;  ///< as findings call shared memory
  void place_parts();
  std::string unique_name(const std::string& wanted, std::size_t index) const;
};

}  // namespace transpire::opencl
