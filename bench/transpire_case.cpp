// Makes Buffers, Arguments and Launches of a case's own; knows Transpire's public interface only.
#include "bench/transpire_case.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/shader_inputs.h"
#include "transpire/setting_table.hpp"

namespace transpire::bench {
namespace {

std::string Text(const Diagnostic& diagnostic) {
  std::string text = format(diagnostic);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

/// The value, or what went wrong as an exception.
template <typename T>
T Take(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(Text(result.errors().front()));
  return std::move(result).value();
}

const char* Spelling(LaunchResult::End end) {
  switch (end) {
    case LaunchResult::End::kCompleted:
      return "completed";
    case LaunchResult::End::kTooManyFindings:
      return "too many findings";
    case LaunchResult::End::kStepLimit:
      return "step limit";
    case LaunchResult::End::kTimeLimit:
      return "time limit";
    case LaunchResult::End::kCancelled:
      return "cancelled";
    case LaunchResult::End::kNoProgress:
      return "no progress";
  }
  return "unknown";
}

std::uint64_t Product(const std::array<std::uint64_t, 3>& size) {
  return size[0] * size[1] * size[2];
}

Module LoadShader(const std::string& path, const std::vector<std::uint32_t>& local_size) {
  LoadOptions options;
  for (std::uint32_t d = 0; d < local_size.size(); ++d)
    options.specialisation.emplace_back(d, local_size[d]);
  return Take(Module::load_file(path, options));
}

}  // namespace

Device MakeDevice(const std::string& isa, unsigned threads) {
  Device device = Take(Device::create({isa, threads}));
  if (!isa.empty() && device.isa() != isa)
    throw std::runtime_error("asked for " + isa + ", got " + device.isa());
  return device;
}

TranspireCase::TranspireCase(const BenchCase& bench, Flavour flavour, OptimisationLevel level,
                             const std::string& check)
    : bench_(bench) {
  for (const bench::Buffer& buffer : bench.buffers) AddBuffer(buffer);
  if (flavour == Flavour::kGlsl) {
    for (const bench::Launch& launch : bench.launches) AddShader(launch, level);
  } else {
    const Module module = Take(Module::load_file(ModulePath(bench, level)));
    for (const bench::Launch& launch : bench.launches) AddLaunch(launch, module);
  }
  for (transpire::Launch& launch : launches_) {
    if (!check.empty() && !set_check(launch, check))
      throw std::runtime_error("there is no check '" + check + "'");
  }
}

std::span<std::byte> TranspireCase::Memory::bytes() const {
  return std::visit([](const auto& memory) { return memory.bytes(); }, object);
}

void TranspireCase::Restore() {
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    if (bench_.buffers[i].access != Access::kRead) Fill(i);
  }
}

void TranspireCase::Run(const Device& device) const {
  for (const transpire::Launch& launch : launches_) {
    const LaunchResult result = Take(device.run(launch));
    for (const Finding& finding : result.findings) {
      if (finding.is_error()) throw std::runtime_error(Text(finding.diagnostic));
    }
    if (result.end != LaunchResult::End::kCompleted)
      throw std::runtime_error(std::string("the launch ended with: ") + Spelling(result.end));
    const Geometry& geometry = launch.geometry;
    if (result.local_size != geometry.local_size ||
        result.work_items != Product(geometry.global_size))
      throw std::runtime_error("the launch had another size than asked for");
  }
}

std::vector<std::vector<std::byte>> TranspireCase::Results() const {
  std::vector<std::vector<std::byte>> results;
  for (const Memory& memory : memories_)
    results.emplace_back(memory.bytes().begin(), memory.bytes().end());
  return results;
}

void TranspireCase::AddBuffer(const bench::Buffer& buffer) {
  const auto add = [&](auto memory) {
    memory.set_read_only(buffer.access == Access::kRead);
    memories_.push_back({std::move(memory)});
  };
  if (buffer.image) {
    ImageDescription description;
    description.width = buffer.image->width;
    description.height = buffer.image->height;
    add(Take(transpire::Image::create(description, buffer.name)));
  } else {
    add(Take(transpire::Buffer::create(buffer.data.size(), buffer.name)));
  }
  Fill(memories_.size() - 1);
}

void TranspireCase::Fill(std::size_t index) {
  const std::vector<std::byte>& data = bench_.buffers[index].data;
  std::memcpy(memories_[index].bytes().data(), data.data(), data.size());
}

void TranspireCase::AddLaunch(const bench::Launch& launch, Module module) {
  transpire::Launch& added = launches_.emplace_back(std::move(module), launch.kernel);
  added.geometry.dimensions = launch.dimensions;
  added.lenient = true;  // groups of odd sizes are part of what tests/bench compares
  for (std::size_t d = 0; d < 3; ++d) {
    added.geometry.global_size[d] = launch.global[d];
    added.geometry.local_size[d] = launch.local[d];
  }
  for (const bench::Argument& argument : launch.arguments)
    added.arguments.push_back(Converted(argument));
}

void TranspireCase::AddShader(const bench::Launch& launch, OptimisationLevel level) {
  const ShaderInputs inputs = InputsOf(launch);
  const auto key = std::pair(launch.kernel, inputs.local_size);
  if (!shaders_.contains(key))
    shaders_.emplace(key, LoadShader(ShaderPath(bench_, launch.kernel, level), inputs.local_size));
  transpire::Launch& added = launches_.emplace_back(shaders_.at(key), "main");
  added.geometry.dimensions = launch.dimensions;
  for (std::size_t d = 0; d < 3; ++d) {
    added.geometry.local_size[d] = launch.local[d];
    added.geometry.global_size[d] = inputs.groups[d] * launch.local[d];
  }
  for (const std::size_t index : inputs.buffers)
    added.arguments.push_back(Converted(BufferArgument{index}));
  if (!inputs.push_constants.empty())
    added.arguments.push_back(transpire::Argument::raw(inputs.push_constants));
}

transpire::Argument TranspireCase::Converted(const bench::Argument& argument) const {
  if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
    const auto& memory = memories_[buffer->index].object;
    if (const auto* image = std::get_if<transpire::Image>(&memory))
      return transpire::Argument::image(*image);
    return transpire::Argument::buffer(std::get<transpire::Buffer>(memory));
  }
  if (const auto* scalar = std::get_if<ScalarArgument>(&argument))
    return transpire::Argument::raw(std::span(scalar->bytes).first(scalar->size_bytes));
  return transpire::Argument::local(std::get<LocalArgument>(argument).size_bytes);
}

}  // namespace transpire::bench
