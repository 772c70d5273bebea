// Small modules as assembly text, and shorthands over the public API.
#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/errors.h"
#include "transpire/transpire.hpp"

namespace transpire::test {

/// kernel saxpy(global float* y, global const float* x, float a): y[i] += a * x[i]
extern const std::string_view kSaxpy;
/// kernel shapes(global struct Particle* p, uint3 v, Particle by_value, local uint* scratch),
/// empty; and kernel fixed, empty, with LocalSize 8 4 1; and a constant with SpecId 7.
extern const std::string_view kShapes;
/// kernel count(global uint* total): atomically adds a program-scope counter, then increments it.
extern const std::string_view kCounter;

Module load(std::string_view text, LoadOptions options = {});
Buffer make_buffer(std::uint64_t bytes, std::string name = {});

/// A file of its own under the system's folder for temporary files, removed with the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& suffix, std::string_view text);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Device make_device(unsigned threads = 1, std::string isa = {});

/// A module from OpenCL C 2.0; none without a compiler on the machine.
std::optional<Module> compile(std::string name, std::string_view source);
/// One dimension; a local size of 0 is left to the library.
Launch make_launch(const Module& module, const std::string& kernel, std::uint64_t global,
                   std::uint64_t local, std::vector<Argument> arguments);
/// Fails the test where the launch is refused.
LaunchResult run(const Device& device, const Launch& launch);

}  // namespace transpire::test
