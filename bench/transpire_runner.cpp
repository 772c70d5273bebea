// Runs a case through Transpire's public interface, from the SPIR-V modules built of its kernels or of their GLSL forms.
// An error finding or an incomplete launch counts as a failure, as does another instruction set.
#include "bench/runner.h"
#include "bench/transpire_case.h"

namespace transpire::bench {
namespace {

class TranspireRunner final : public Runner {
 public:
  TranspireRunner(const BenchCase& bench, Flavour flavour, const RunnerOptions& options)
      : device_(MakeDevice(options.isa, options.threads)),
        case_(bench, flavour, OptimisationLevel::kO2, options.check) {}

  void Restore() override { case_.Restore(); }
  void Run() override { case_.Run(device_); }
  std::vector<std::vector<std::byte>> Results() override { return case_.Results(); }

 private:
  Device device_;
  TranspireCase case_;
};

}  // namespace

std::vector<std::string> TranspireIsas() { return supported_isas(); }

std::unique_ptr<Runner> MakeTranspireRunner(const BenchCase& bench, const RunnerOptions& options) {
  const Flavour flavour = options.via == "glsl" ? Flavour::kGlsl : Flavour::kOpenCl;
  return std::make_unique<TranspireRunner>(bench, flavour, options);
}

}  // namespace transpire::bench
