// The engine's side of lir_engine.h.
#include "tests/vm/lir/lir_engine.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "memory/address_space.h"
#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/random_lir.h"
#include "vm/emit/emit.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

using exec::Batch;

struct FailingSink final : exec::EventSink {
  void finding(const Batch&, const exec::Event& event) override {
    throw std::runtime_error("finding of rule " + std::to_string(event.rule));
  }
  bool print(const Batch&, std::uint32_t, const char*, std::size_t) override { return true; }
};

std::uint64_t machine_argument(std::uint64_t slot) { return 3 + slot * 7; }

void write_row(std::byte* row, Kind kind, std::uint64_t bits, std::uint32_t lanes) {
  if (kind == Kind::kBool) {
    std::memset(row, bits != 0 ? 0xff : 0, row_bytes(kind, lanes));
    return;
  }
  const std::uint32_t bytes = lane_bytes(kind);
  for (std::uint32_t i = 0; i < lanes; ++i) std::memcpy(row + i * bytes, &bits, bytes);
}

/// A batch with all that a Program without private and workgroup memory needs.
class Run {
 public:
  Run(const Program& program, std::uint64_t argument_slots) : program_(program), space_(8) {
    const std::uint32_t lanes = program.lanes;
    result_.memory.resize(std::size_t{kOwnBytes} * lanes);
    memory::Allocation allocation;
    allocation.host = result_.memory.data();
    allocation.size_bytes = result_.memory.size();
    for (std::uint64_t slot = 0; slot < argument_slots; ++slot)
      arguments_.push_back(machine_argument(slot));
    arguments_.back() = space_.add(allocation, "own").value();
    map_ = space_.map();
    // Garbage, other than the zeros of a new register block: nobody may read what was not written.
    storage_.assign(program.register_bytes + 64, std::byte{0xa5});
    registers_ =
        storage_.data() + (64 - reinterpret_cast<std::uintptr_t>(storage_.data()) % 64) % 64;
    pending_.resize(program.block_entry.size() * program.mask_words);
    pending_set_.resize(program.block_entry.size() / 64 + 1);
    for (std::uint32_t i = 0; i < lanes; ++i) ids_.push_back(i);
    zeros_.resize(lanes);
    fill_registers();
    fill_batch();
  }

  EngineResult run() {
    if (program_.prologue_instructions != 0) exec::run(batch_);
    batch_.ip = program_.code.data() + program_.prologue_instructions;
    exec::run(batch_);
    for (std::uint32_t i = 0; i < program_.lanes; ++i)
      result_.finished.push_back((batch_.live[i / 64] >> (i % 64) & 1) == 0);
    const auto& copies = program_.handlers->masked_copy;
    for (const Inst& inst : program_.code)
      result_.row_copies +=
          std::find(std::begin(copies), std::end(copies), inst.run) != std::end(copies);
    return std::move(result_);
  }

 private:
  void fill_registers() {
    for (const auto& scalar : program_.initial_scalars)
      std::memcpy(registers_ + scalar.offset, &scalar.bits, 8);
    for (const auto& row : program_.initial_rows)
      write_row(registers_ + row.offset, row.kind, row.bits, program_.lanes);
    for (const auto& scalar : program_.argument_scalars)
      std::memcpy(registers_ + scalar.offset, &arguments_[scalar.slot], 8);
  }

  void fill_batch() {
    const std::uint32_t lanes = program_.lanes;
    for (std::uint32_t i = 0; i < lanes; ++i) batch_.mask[i / 64] |= std::uint64_t{1} << (i % 64);
    std::copy(std::begin(batch_.mask), std::end(batch_.mask), batch_.live);
    launch_.global_size[0] = launch_.enqueued_local_size[0] = lanes;
    batch_.ip = program_.code.data();
    batch_.program = &program_;
    batch_.registers = registers_;
    batch_.pending = pending_.data();
    batch_.pending_set = pending_set_.data();
    batch_.memory = &map_;
    batch_.sink = &sink_;
    batch_.launch = &launch_;
    batch_.local_size[0] = lanes;
    batch_.local_id[0] = ids_.data();
    batch_.local_id[1] = batch_.local_id[2] = zeros_.data();
    batch_.steps_left = 20'000;
  }

  const Program& program_;
  memory::AddressSpace space_;
  memory::AddressMap map_{};
  FailingSink sink_;
  exec::LaunchIds launch_;
  std::vector<std::uint64_t> arguments_, pending_, pending_set_;
  std::vector<std::uint32_t> ids_, zeros_;
  std::vector<std::byte> storage_;
  std::byte* registers_ = nullptr;
  Batch batch_{};
  EngineResult result_;
};

/// The own bytes of a work-item after the stores of a trace; addresses count from `base`.
std::vector<std::byte> replay(const std::string& trace, std::uint64_t base) {
  std::vector<std::byte> memory(kOwnBytes);
  std::istringstream text(trace);
  std::uint64_t address = 0;
  unsigned value = 0;
  for (char equals = 0, semicolon = 0; text >> address >> equals >> value >> semicolon;)
    memory.at(address - base) = static_cast<std::byte>(value);
  return memory;
}

}  // namespace

LowerOptions engine_options(const HandlerTable& table) {
  LowerOptions options;
  options.lanes = table.lanes;
  options.linear_x = true;
  return options;
}

lir::Function analysed(lir::Function function, const HandlerTable& table) {
  lir::canonicalise_loops(function);
  lir::order_blocks(function);
  lir::analyse_divergence(function, engine_options(table));
  return function;
}

std::unique_ptr<Program> emitted(const lir::Function& function, const HandlerTable& table) {
  auto program = emit(function, engine_options(table), table);
  if (!program.ok()) throw std::runtime_error(format(program.errors()[0]));
  return std::move(program).value();
}

EngineResult run_engine(const lir::Function& function, const HandlerTable& table) {
  return Run(*emitted(function, table), function.argument_slots).run();
}

std::string compare_with_engine(const lir::Function& before, const lir::Function& analysed,
                                const HandlerTable& table, std::uint32_t step) {
  const EngineResult batch = run_engine(analysed, table);
  const std::uint64_t own = machine_argument(before.argument_slots - 1);
  for (std::uint32_t lane = 0; lane < table.lanes; lane += step) {
    const MachineResult alone = run_machine(before, {1, lane, 300});
    if (!alone.finished[0] || !batch.finished[lane]) continue;
    const std::vector<std::byte> expected = replay(alone.traces[0], own + lane * kOwnBytes);
    const auto found = batch.memory.begin() + lane * kOwnBytes;
    const auto difference = std::mismatch(expected.begin(), expected.end(), found).first;
    if (difference == expected.end()) continue;
    return std::string(isa_name(table.isa)) + ", lane " + std::to_string(lane) + ", byte " +
           std::to_string(difference - expected.begin());
  }
  return "";
}

std::vector<const HandlerTable*> engine_tables() {
  std::vector<const HandlerTable*> tables;
  for (const Isa isa : exec::built_isas())
    if (exec::supported(isa)) tables.push_back(&exec::handlers(isa));
  return tables;
}

}  // namespace transpire::test
