// Small modules as assembly text, and shorthands over the public API.
#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "tests/errors.h"
#include "transpire/transpire.hpp"

namespace transpire::test {

/// kernel saxpy(global float* y, global const float* x, float a): y[i] += a * x[i]
extern const std::string kSaxpy;
/// kernel shapes(global struct Particle* p, uint3 v, Particle by_value, local uint* scratch),
/// empty; and kernel fixed, empty, with LocalSize 8 4 1; and a constant with SpecId 7.
extern const std::string kShapes;
/// kernel count(global uint* total): atomically adds a program-scope counter, then increments it.
extern const std::string kCounter;

/// Assembly text without a memory model is taken for the short form: tests/programs/README.md.
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

/// A pipe of the file system that stays open and that nobody writes to.
class SilentPipe {
 public:
  SilentPipe();
  ~SilentPipe();
  SilentPipe(const SilentPipe&) = delete;
  SilentPipe& operator=(const SilentPipe&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::FILE* writer_ = nullptr;
};

Device make_device(unsigned threads = 1, std::string isa = {});

/// A module from OpenCL C; none without a compiler on the machine. Tests that ask for the same one share it.
std::optional<Module> compile(std::string_view source, LoadOptions options);
/// OpenCL C 2.0 in a file of that name, or with an option of clang's.
std::optional<Module> compile(std::string name, std::string_view source);
std::optional<Module> compile_at(const char* option, std::string_view source);

inline Argument argument_of(const Argument& argument) { return argument; }
inline Argument argument_of(const Buffer& buffer) { return Argument::buffer(buffer); }
inline Argument argument_of(const Image& image) { return Argument::image(image); }
inline Argument argument_of(const Sampler& sampler) { return Argument::sampler(sampler); }
inline Argument argument_of(const Pipe& pipe) { return Argument::pipe(pipe); }
template <class T>
Argument argument_of(const T& value) {
  return Argument::value(value);
}
/// A launch's arguments: objects as they are, anything else by its bytes.
template <class... T>
std::vector<Argument> args_of(const T&... values) {
  return {argument_of(values)...};
}

/// One dimension; a local size of 0 is left to the library.
Launch make_launch(const Module& module, const std::string& kernel, std::uint64_t global,
                   std::uint64_t local, std::vector<Argument> arguments);
template <class... T>
Launch make_launch(const Module& module, const std::string& kernel, std::uint64_t global,
                   std::uint64_t local, const T&... arguments) {
  return make_launch(module, kernel, global, local, args_of(arguments...));
}
/// Fails the test where the launch is refused.
LaunchResult run(const Device& device, const Launch& launch);

/// Instruction sets of the machine whose batches have the fewest and the most lanes.
std::vector<std::string> isas_of_each_width();

/// Calls body(isa, reference) for each instruction set of the machine, optimised and on the reference path.
template <class Body>
void on_each_path(const Body& body) {
  for (const std::string& isa : supported_isas())
    for (const bool reference : {false, true}) {
      CAPTURE(isa);
      CAPTURE(reference);
      body(isa, reference);
    }
}

using Rules = std::vector<std::string>;
/// The rules of what was found, in its order.
Rules rules_of(const LaunchResult& result);

}  // namespace transpire::test
