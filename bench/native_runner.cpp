// Runs a case's reference function: compiled C++ on one thread.
// It works on its own copy of the buffers, so that the case keeps the initial contents.
#include "bench/runner.h"

namespace transpire::bench {
namespace {

class NativeRunner final : public Runner {
 public:
  explicit NativeRunner(const BenchCase& bench) : bench_(bench), buffers_(bench.buffers) {}

  void Restore() override {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (buffers_[i].access != Access::kWrite) continue;
      std::memcpy(buffers_[i].data.data(), bench_.buffers[i].data.data(), buffers_[i].data.size());
    }
  }

  void Run() override { bench_.reference(BufferSet(buffers_)); }

  std::vector<std::vector<std::byte>> Results() override {
    std::vector<std::vector<std::byte>> results;
    for (const Buffer& buffer : buffers_) results.push_back(buffer.data);
    return results;
  }

 private:
  const BenchCase& bench_;
  std::vector<Buffer> buffers_;
};

}  // namespace

std::unique_ptr<Runner> MakeNativeRunner(const BenchCase& bench) {
  return std::make_unique<NativeRunner>(bench);
}

}  // namespace transpire::bench
