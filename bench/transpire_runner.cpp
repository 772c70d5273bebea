// Runs a case through Transpire's public interface, from the SPIR-V module built of its kernel.
// An error finding or an incomplete launch counts as a failure, as does another instruction set.
#include <stdexcept>
#include <utility>

#include "bench/kernel_files.h"
#include "bench/runner.h"
#include "transpire/transpire.hpp"

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
  }
  return "unknown";
}

Module LoadKernels(const BenchCase& bench) {
  return Take(Module::load_file(ModulePath(bench.kernel_file)));
}

class TranspireRunner final : public Runner {
 public:
  TranspireRunner(const BenchCase& bench, const RunnerOptions& options)
      : bench_(bench),
        device_(Take(Device::create({options.isa, options.threads}))),
        module_(LoadKernels(bench)) {
    if (!options.isa.empty() && device_.isa() != options.isa)
      throw std::runtime_error("asked for " + options.isa + ", got " + device_.isa());
    for (const bench::Buffer& buffer : bench.buffers) AddBuffer(buffer);
    for (const bench::Launch& launch : bench.launches) AddLaunch(launch);
  }

  void Restore() override {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (bench_.buffers[i].access == Access::kWrite) Fill(i);
    }
  }

  void Run() override {
    for (const transpire::Launch& launch : launches_) {
      const LaunchResult result = Take(device_.run(launch));
      for (const Finding& finding : result.findings) {
        if (finding.is_error()) throw std::runtime_error(Text(finding.diagnostic));
      }
      if (result.end != LaunchResult::End::kCompleted)
        throw std::runtime_error(std::string("the launch ended with: ") + Spelling(result.end));
    }
  }

  std::vector<std::vector<std::byte>> Results() override {
    std::vector<std::vector<std::byte>> results;
    for (const transpire::Buffer& buffer : buffers_)
      results.emplace_back(buffer.bytes().begin(), buffer.bytes().end());
    return results;
  }

 private:
  void AddBuffer(const bench::Buffer& buffer) {
    buffers_.push_back(Take(transpire::Buffer::create(buffer.data.size(), buffer.name)));
    Fill(buffers_.size() - 1);
    buffers_.back().set_read_only(buffer.access == Access::kRead);
  }

  void Fill(std::size_t index) {
    const std::vector<std::byte>& data = bench_.buffers[index].data;
    std::memcpy(buffers_[index].bytes().data(), data.data(), data.size());
  }

  void AddLaunch(const bench::Launch& launch) {
    transpire::Launch& added = launches_.emplace_back(module_, launch.kernel);
    added.geometry.dimensions = launch.dimensions;
    for (std::size_t d = 0; d < 3; ++d) {
      added.geometry.global_size[d] = launch.global[d];
      added.geometry.local_size[d] = launch.local[d];
    }
    for (const bench::Argument& argument : launch.arguments)
      added.arguments.push_back(Converted(argument));
  }

  transpire::Argument Converted(const bench::Argument& argument) const {
    if (const auto* buffer = std::get_if<BufferArgument>(&argument))
      return transpire::Argument::buffer(buffers_[buffer->index]);
    if (const auto* scalar = std::get_if<ScalarArgument>(&argument))
      return transpire::Argument::raw(std::span(scalar->bytes).first(scalar->size_bytes));
    return transpire::Argument::local(std::get<LocalArgument>(argument).size_bytes);
  }

  const BenchCase& bench_;
  Device device_;
  Module module_;
  std::vector<transpire::Buffer> buffers_;
  std::vector<transpire::Launch> launches_;
};

}  // namespace

std::vector<std::string> TranspireIsas() { return supported_isas(); }

std::unique_ptr<Runner> MakeTranspireRunner(const BenchCase& bench, const RunnerOptions& options) {
  return std::make_unique<TranspireRunner>(bench, options);
}

}  // namespace transpire::bench
