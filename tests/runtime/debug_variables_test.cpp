// Programs that keep values say what a kernel's variables hold, its own and the module's.
#include <functional>
#include <map>
#include <set>

#include "runtime/state.h"
#include "tests/runtime/observed.h"
#include "vm/exec/value_reader.h"
#include "vm/exec/work_item.h"

namespace transpire::test {
namespace {

using vm::exec::Batch;
using vm::exec::Sight;

/// tile[lid] = 3 * i, and a constant.
constexpr std::string_view kBegin = R"(
          %k = OpFunction %void None %fn
          %a = OpFunctionParameter %puint
      %entry = OpLabel
)";
constexpr std::string_view kBody = R"(
      %three = OpIMul %uint %i32 %u3
         %to = OpInBoundsAccessChain %wuint %tile %i
               OpStore %to %three Aligned 4
      %known = OpLoad %uint %seven Aligned 4
         %at = OpInBoundsPtrAccessChain %puint %a %i
               OpStore %at %known Aligned 4
               OpReturn
               OpFunctionEnd
)";
const std::string kModuleVariables =
    text_of(ObservedModule{.names = "OpName %tile \"tile\"\nOpName %seven \"seven\"",
                           .declarations = R"(
       %u100 = OpConstant %uint 100
      %cuint = OpTypePointer UniformConstant %uint
      %uints = OpTypeArray %uint %u100
      %wtile = OpTypePointer Workgroup %uints
      %wuint = OpTypePointer Workgroup %uint
       %tile = OpVariable %wtile Workgroup
      %seven = OpVariable %cuint UniformConstant %u7
)",
                           .functions = fmt::format("{}{}{}", kBegin, kObservedIds, kBody)});

constexpr const char* kLines = R"(kernel void k(global uint* a) {
  uint i = get_global_id(0);
  uint total = 1;
  for (uint j = 0; j < 3; ++j)
    total = total * 2 + j;
  a[i] = total;
})";

/// Reads variables by their names at some place, as each work-item comes there.
class VariableCheck final : public vm::Observer {
 public:
  std::function<std::uint64_t(std::string_view name, std::uint64_t item)> expected;
  std::function<std::uint64_t(std::string_view name, std::uint64_t item)> offset;
  std::function<bool(const vm::Source&)> is_place;
  std::set<std::string> names = {"tile", "seven"};
  bool first_only = false;
  std::set<std::string> wrong;
  std::map<std::string, std::uint64_t> compared;

  void instruction(const Batch& batch, const vm::Inst& inst) override {
    const vm::Source& source = batch.program->source_of(&inst);
    if (!is_place(source)) return;
    for_each_running(batch, [&](std::uint32_t lane) {
      const std::uint64_t item = vm::exec::work_item(batch, lane).global_id[0];
      if (first_only && !seen_.insert(item).second) return;
      for (const vm::NamedVariable& variable : batch.program->debug.variables)
        if (names.contains(variable.name)) compare(batch, inst, variable, lane, item);
    });
  }

 private:
  void compare(const Batch& batch, const vm::Inst& inst, const vm::NamedVariable& variable,
               std::uint32_t lane, std::uint64_t item) {
    std::uint32_t bits = 0;
    const std::uint64_t from = offset ? offset(variable.name, item) : 0;
    if (vm::exec::variable_at(batch, &inst, variable.id) != &variable ||
        vm::exec::read_variable(batch, variable, lane, from,
                                std::as_writable_bytes(std::span(&bits, 1))) != Sight::kSeen) {
      wrong.insert(variable.name + " cannot be read");
      return;
    }
    ++compared[variable.name];
    if (bits != expected(variable.name, item))
      wrong.insert(fmt::format("{} is {} for work-item {}", variable.name, bits, item));
  }

  std::set<std::uint64_t> seen_;
};

}  // namespace

TEST_CASE("debug info: variables of the module") {
  const Module module = load(kModuleVariables);
  on_each_path([&](const std::string& isa, bool reference) {
    const Buffer a = make_buffer(4 * 100);
    VariableCheck check;
    check.expected = [](std::string_view name, std::uint64_t item) -> std::uint64_t {
      return name == "tile" ? 3 * item : 7;
    };
    check.offset = [](std::string_view name, std::uint64_t item) {
      return name == "tile" ? 4 * item : 0;
    };
    check.is_place = [](const vm::Source& source) { return source.op == spv::Op::OpReturn; };
    watch(debugged(module, 100, reference, {Argument::buffer(a)}), check, isa);
    CHECK(joined(check.wrong) == "");
    CHECK(check.compared["tile"] == 100);
    CHECK(check.compared["seven"] == 100);
  });
}

TEST_CASE("debug info: variables at lines of the source") {
  const std::optional<Module> module = compile_at("-O0", kLines);
  if (!module) return;
  const decoder::Module& decoded = module->state()->module;
  for (const auto& each : {std::pair(4u, 1u), std::pair(6u, 12u)}) {
    const auto line = each.first, total = each.second;
    CAPTURE(line);
    on_each_path([&, line, total](const std::string& isa, bool reference) {
      const Buffer a = make_buffer(4 * 100);
      VariableCheck check;
      check.expected = [&](std::string_view name, std::uint64_t item) -> std::uint64_t {
        return name == "total" ? total : item;
      };
      check.names = {"total", "i"};
      check.is_place = [&](const vm::Source& source) {
        return decoded.lines[source.line].line == line;
      };
      check.first_only = true;
      watch(debugged(*module, 100, reference, {Argument::buffer(a)}), check, isa);
      CHECK(joined(check.wrong) == "");
      CHECK(check.compared["total"] == 100);
      CHECK(check.compared["i"] == 100);
    });
  }
}

}  // namespace transpire::test
