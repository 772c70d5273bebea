// A case in Transpire's terms: its buffers and its launches of loaded modules.
// Which device runs them, and what becomes of the results, is the caller's business. Failures are
// thrown as std::runtime_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bench/case.h"
#include "bench/kernel_files.h"
#include "transpire/transpire.hpp"

namespace transpire::bench {

/// A device of exactly this instruction set; "" for the best, 0 threads for all.
Device MakeDevice(const std::string& isa, unsigned threads);

/// Does not outlive its case.
class TranspireCase {
 public:
  /// `check`: the name of a check that its launches are made with, "" for none.
  TranspireCase(const BenchCase& bench, Flavour flavour, OptimisationLevel level,
                const std::string& check = "");

  /// Gives the written and scratch buffers their initial contents.
  void Restore();
  /// Does all launches. Throws on an error finding, and on a launch that does not complete or whose
  /// sizes are not the case's.
  void Run(const Device& device) const;
  /// The bytes of every buffer, at its index.
  std::vector<std::vector<std::byte>> Results() const;

 private:
  void AddBuffer(const bench::Buffer& buffer);
  void AddLaunch(const bench::Launch& launch, Module module);
  void AddShader(const bench::Launch& launch, OptimisationLevel level);
  void Fill(std::size_t index);
  transpire::Argument Converted(const bench::Argument& argument) const;

  const BenchCase& bench_;
  /// The shaders that are loaded, by kernel and size of a group.
  std::map<std::pair<std::string, std::vector<std::uint32_t>>, Module> shaders_;
  /// A buffer or an image, whose bytes are the case's.
  struct Memory {
    std::variant<transpire::Buffer, transpire::Image> object;
    std::span<std::byte> bytes() const;
  };

  std::vector<Memory> memories_;
  std::vector<transpire::Launch> launches_;
};

}  // namespace transpire::bench
