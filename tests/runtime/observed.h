// What tests of observers share: modules of one kernel k(global uint* a), and launches that somebody watches.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/observe.h"
#include "tests/runtime/support.h"
#include "vm/exec/engine.h"
#include "vm/program/program.h"

namespace transpire::test {

/// The parts of a module that are its own. Declared already are %void %bool %uint %ulong %ulong3, the constants
/// %u0 to %u8, the pointers %inputs and %puint (CrossWorkgroup), %fn (void by %puint), and the variable %gid.
struct ObservedModule {
  std::string imports = {};       ///< further capabilities, then sets of instructions
  std::string inputs = {};        ///< of the kernel, besides %gid
  std::string names = {};         ///< strings, names and decorations
  std::string declarations = {};  ///< further types, constants and variables
  std::string functions = {};     ///< %k is the kernel
};

inline std::string text_of(const ObservedModule& module) {
  std::string constants;
  for (int n = 0; n <= 8; ++n) constants += fmt::format("%u{0} = OpConstant %uint {0}\n", n);
  return fmt::format(R"(
               OpCapability Addresses
               OpCapability Kernel
               OpCapability Int64
{}
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %k "k" %gid {}
{}
               OpDecorate %gid BuiltIn GlobalInvocationId
       %void = OpTypeVoid
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
      %ulong = OpTypeInt 64 0
     %ulong3 = OpTypeVector %ulong 3
     %inputs = OpTypePointer Input %ulong3
      %puint = OpTypePointer CrossWorkgroup %uint
         %fn = OpTypeFunction %void %puint
        %gid = OpVariable %inputs Input
{}{}{})",
                     module.imports, module.inputs, module.names, constants, module.declarations,
                     module.functions);
}

/// A work-item's %i, and %i32.
constexpr std::string_view kObservedIds = R"(
        %ids = OpLoad %ulong3 %gid
          %i = OpCompositeExtract %ulong %ids 0
        %i32 = OpUConvert %uint %i
)";

/// From OpenCL C, with an option of clang's; none without a compiler on the machine.
inline std::optional<Module> compile_at(const char* level, std::string_view source) {
  const TemporaryFile file(".cl", source);
  LoadOptions options;
  options.build_options = {"-cl-std=CL2.0", level};
  Result<Module> module = Module::load_file(file.path(), options);
  if (module.ok()) return *module;
  if (module.errors()[0].rule != "TSP-C0031") FAIL(format(module.errors()[0]));
  return std::nullopt;
}

/// Of kernel k in one group, with the values and variables that the program keeps.
inline Launch debugged(const Module& module, std::uint64_t items, bool reference,
                       std::vector<Argument> arguments) {
  Launch launch = make_launch(module, "k", items, items, std::move(arguments));
  launch.debug_info = true;
  launch.reference = reference;
  return launch;
}

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

/// Fails the test where the launch is refused.
inline LaunchResult watch(const Launch& launch, vm::Observer& observer, std::string isa = {}) {
  auto result = runtime::run_observed(make_device(4, std::move(isa)), launch, observer);
  if (!result) FAIL(format(result.errors()[0]));
  return std::move(result).value();
}

inline bool runs(const vm::exec::Batch& batch, std::uint32_t lane) {
  return (batch.mask[lane / 64] >> lane % 64 & 1) != 0;
}

/// Calls body(lane) for the running lanes.
template <class Body>
void for_each_running(const vm::exec::Batch& batch, const Body& body) {
  for (std::uint32_t lane = 0; lane < batch.program->lanes; ++lane)
    if (runs(batch, lane)) body(lane);
}

/// What an observer found wrong, for a check that it is nothing.
template <class Texts>
std::string joined(const Texts& texts) {
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace transpire::test
