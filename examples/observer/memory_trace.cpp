// An observer: prints every access of a launch, the work-item that makes it, and the instruction.
#include <cstdio>
#include <span>
#include <string>

#include "decoder/grammar.h"
#include "runtime/observe.h"
#include "vm/exec/work_item.h"
#include "vm/program/program.h"

using namespace transpire;

constexpr const char* kKinds[] = {"load", "store", "atomic load", "atomic store", "atomic"};

class MemoryTrace final : public vm::Observer {
  void access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) override {
    const vm::Source& source = batch.program->source_of(access.instruction);
    const auto item = vm::exec::work_item(batch, access.lane);
    std::printf("item %llu word %u %s: %s of %llu bytes at %#llx\n",
                static_cast<unsigned long long>(item.global_id[0]), source.word_offset,
                std::string(decoder::opcode_name(source.op)).c_str(),
                kKinds[static_cast<int>(access.kind)],
                static_cast<unsigned long long>(access.bytes),
                static_cast<unsigned long long>(access.address));
  }
};

int main(int argc, char** argv) {
  const Result<Module> module = Module::load_file(argc > 1 ? argv[1] : "examples/saxpy.cl");
  const Result<Device> device = Device::create({});
  const Result<Buffer> y = Buffer::create(16, "y"), x = Buffer::create(16, "x");
  if (!module || !device || !y || !x) return 2;
  Launch launch(*module, "saxpy");
  launch.geometry.global_size = {4, 1, 1};
  const float a = 3;
  launch.arguments = {Argument::buffer(*y), Argument::buffer(*x),
                      Argument::raw(std::as_bytes(std::span(&a, 1)))};
  MemoryTrace trace;
  const Result<LaunchResult> result = runtime::run_observed(*device, launch, trace);
  if (!result) std::fprintf(stderr, "%s\n", format(result.errors()[0]).c_str());
  return result ? 0 : 1;
}
