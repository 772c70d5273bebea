// Programs that keep values say what each <id> and each variable, the kernel's or the module's, is while the kernel runs, or
// that it is gone, and never anything else: what is read is computed again from what its operands are.
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "runtime/state.h"
#include "tests/runtime/observed.h"
#include "vm/exec/value_reader.h"
#include "vm/exec/work_item.h"

namespace transpire::test {
namespace {

using decoder::Id;
using decoder::Instruction;
using vm::exec::Batch;
using vm::exec::Sight;

/// A loop of i % 5 + 1 rounds by work-item i: total += twice(j * j). The last round's values are used behind the loop. `declarations`: of
/// the locals, by a set of debug information.
std::string rounds(const std::string& declarations) {
  std::string text = declarations + R"(
%total_str = OpString "total"
%j_str = OpString "j"
%file_str = OpString "rounds.cl"
%twice_fn = OpTypeFunction %uint %uint
%none = OpExtInst %void %d DebugInfoNone
%source = OpExtInst %void %d DebugSource %file_str
%plain = OpExtInst %void %d DebugExpression

%twice = OpFunction %uint None %twice_fn
%x = OpFunctionParameter %uint
%twice_body = OpLabel
%double_x = OpIAdd %uint %x %x
OpReturnValue %double_x
OpFunctionEnd

kernel k(%_ptr_CrossWorkgroup_uint a)
%total = OpVariable %_ptr_Function_uint Function
%declare = OpExtInst %void %d DebugDeclare %total_loc %total %plain
%ids = OpLoad %v3ulong %GlobalInvocationId
%i = OpCompositeExtract %ulong %ids 0
%i32 = OpUConvert %uint %i
store %total %uint_0
%rest = OpUMod %uint %i32 %uint_5
%limit = OpIAdd %uint %rest %uint_1
%loop = OpLabel
%j = OpPhi %uint %uint_0 %entry_of_k %next %loop
%value_j = OpExtInst %void %d DebugValue %j_loc %j %plain
%square = OpIMul %uint %j %j
%tw = OpFunctionCall %uint %twice %square
%old = load %total
%new = OpIAdd %uint %old %tw
store %total %new
%next = OpIAdd %uint %j %uint_1
%more = OpULessThan %bool %next %limit
OpBranchConditional %more %loop %out
%out = OpLabel
%last = OpIAdd %uint %next %tw
store %a[%i] %last
)";
  for (const char* name : {"k", "twice", "total", "x", "double_x", "i32", "limit", "j", "square",
                           "tw", "old", "new", "next", "last"})
    text += fmt::format("OpName %{0} \"{0}\"\n", name);
  return text;
}

const std::string kRounds = rounds(R"(
%d = OpExtInstImport "OpenCL.DebugInfo.100"
%unit = OpExtInst %void %d DebugCompilationUnit 1 4 %source OpenCL_C
%basic = OpExtInst %void %d DebugTypeBasic %file_str %uint_32 Unsigned
%total_loc = OpExtInst %void %d DebugLocalVariable %total_str %basic %source 1 1 %unit FlagIsLocal
%j_loc = OpExtInst %void %d DebugLocalVariable %j_str %basic %source 1 1 %unit FlagIsLocal
)");
/// Numbers are constants in this set.
const std::string kShaderRounds = rounds(R"(
OpExtension "SPV_KHR_non_semantic_info"
%d = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%unit = OpExtInst %void %d DebugCompilationUnit %uint_1 %uint_4 %source %uint_3
%basic = OpExtInst %void %d DebugTypeBasic %file_str %uint_32 %uint_6 %uint_0
%total_loc = OpExtInst %void %d DebugLocalVariable %total_str %basic %source %uint_1 %uint_1 %unit %uint_4
%j_loc = OpExtInst %void %d DebugLocalVariable %j_str %basic %source %uint_1 %uint_1 %unit %uint_4
)");

/// A cycle of two entries: left by odd work-items, right by even ones, then round until n is 1.
constexpr std::string_view kTangled = R"(
kernel k(%_ptr_CrossWorkgroup_uint a)
%n = OpUConvert %uint %gid
%at = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %a %gid
%odd_n = OpBitwiseAnd %uint %n %uint_1
%odd = OpIEqual %bool %odd_n %uint_1
OpBranchConditional %odd %left %right
%left = OpLabel
%n_left = OpPhi %uint %n %entry_of_k %n_next %right
%by_left = OpIMul %uint %n_left %uint_3
store %at %by_left
%right = OpLabel
%n_right = OpPhi %uint %n %entry_of_k %n_left %left
%seen = load %at
%sum = OpIAdd %uint %seen %n_right
store %at %sum
%n_next = OpISub %uint %n_right %uint_1
%more = OpUGreaterThan %bool %n_right %uint_1
OpBranchConditional %more %left %out
%out = OpLabel
%final = OpIAdd %uint %n_next %n_right
store %at %final
)";

/// tile[lid] = 3 * i, and a constant.
constexpr std::string_view kModuleVariables = R"(
OpName %tile "tile"
OpName %seven "seven"
%uints = OpTypeArray %uint %uint_100
%tile = OpVariable %_ptr_Workgroup_uints Workgroup
%seven = OpVariable %_ptr_UniformConstant_uint UniformConstant %uint_7
kernel k(%_ptr_CrossWorkgroup_uint a)
%i32 = OpUConvert %uint %gid
%three = OpIMul %uint %i32 %uint_3
%to = OpInBoundsAccessChain %_ptr_Workgroup_uint %tile %gid
store %to %three
%known = load %seven
store %a[%gid] %known
)";

using Bits = std::uint64_t;

float float_of(Bits bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
Bits bits_of(float number) { return std::bit_cast<std::uint32_t>(number); }

/// The instructions that the test computes again.
constexpr struct {
  spv::Op op;
  bool of_floats;
  Bits (*result)(Bits a, Bits b);
} kOperations[] = {
    {spv::Op::OpIAdd, false, [](Bits a, Bits b) { return a + b; }},
    {spv::Op::OpISub, false, [](Bits a, Bits b) { return a - b; }},
    {spv::Op::OpIMul, false, [](Bits a, Bits b) { return a * b; }},
    {spv::Op::OpUMod, false, [](Bits a, Bits b) { return a % b; }},
    {spv::Op::OpBitwiseAnd, false, [](Bits a, Bits b) { return a & b; }},
    {spv::Op::OpBitwiseXor, false, [](Bits a, Bits b) { return a ^ b; }},
    {spv::Op::OpULessThan, false, [](Bits a, Bits b) { return Bits{a < b}; }},
    {spv::Op::OpUGreaterThan, false, [](Bits a, Bits b) { return Bits{a > b}; }},
    {spv::Op::OpIEqual, false, [](Bits a, Bits b) { return Bits{a == b}; }},
    {spv::Op::OpFAdd, true, [](Bits a, Bits b) { return bits_of(float_of(a) + float_of(b)); }},
    {spv::Op::OpFSub, true, [](Bits a, Bits b) { return bits_of(float_of(a) - float_of(b)); }},
    {spv::Op::OpFMul, true, [](Bits a, Bits b) { return bits_of(float_of(a) * float_of(b)); }}};

/// Result of an instruction of two operands; nothing for those that the test does not know.
std::optional<Bits> result_of(spv::Op op, const decoder::Type& type, Bits a, Bits b) {
  for (const auto& operation : kOperations) {
    if (operation.op != op || (op == spv::Op::OpUMod && b == 0)) continue;
    if (operation.of_floats && type.width_bits != 32) continue;
    const unsigned unused = type.width_bits == 0 ? 0 : 64 - type.width_bits;  // 0: a bool
    return operation.result(a, b) << unused >> unused;
  }
  return std::nullopt;
}

/// In front of every instruction, every lane's values that can be seen.
class Recompute : public vm::Observer {
 public:
  explicit Recompute(const Module& module) : module_(module.state()->module) {
    for (const decoder::Function& function : module_.functions)
      for (const decoder::Block& block : function.blocks)
        for (const Instruction& i : block.instructions)
          if (i.operands.size() == 2 && i.result_id != 0 && i.type_id != 0) computed_.push_back(&i);
  }

  std::set<std::string> wrong;
  std::map<Id, std::uint64_t> seen, checked, gone;

  void instruction(const Batch& batch, const vm::Inst& inst) override {
    for (const Instruction* i : computed_) {
      const decoder::Type& type = *module_.type_of(i->result_id);
      const std::uint64_t components = type.kind == decoder::Type::Kind::kVector ? type.count : 1;
      const decoder::Type& scalar = components > 1 ? *type.element : type;
      for_each_running(batch, [&](std::uint32_t lane) {
        for (std::uint32_t c = 0; c < components; ++c) check(batch, inst, *i, scalar, c, lane);
      });
    }
  }

 protected:
  std::optional<std::uint64_t> read(const Batch& batch, const vm::Inst& inst, Id id,
                                    std::uint32_t component, std::uint32_t lane) {
    if (const decoder::Constant* constant = module_.constant(id))
      return constant->type->is_scalar() ? std::optional(constant->bits) : std::nullopt;
    const vm::exec::SeenValue value = vm::exec::value_of(batch, &inst, id, component, lane);
    if (value.sight == Sight::kOptimisedAway) ++gone[id];
    if (value.sight != Sight::kSeen) return std::nullopt;
    ++seen[id];
    return value.bits;
  }

  const decoder::Module& module_;

 private:
  void check(const Batch& batch, const vm::Inst& inst, const Instruction& i,
             const decoder::Type& type, std::uint32_t component, std::uint32_t lane) {
    const auto result = read(batch, inst, i.result_id, component, lane);
    const auto a = result ? read(batch, inst, i.operands[0], component, lane) : std::nullopt;
    const auto b = a ? read(batch, inst, i.operands[1], component, lane) : std::nullopt;
    if (!b) return;
    const auto expected = result_of(i.op, type, *a, *b);
    if (!expected) return;
    ++checked[i.result_id];
    if (*expected != *result)
      wrong.insert(fmt::format("{} of {} and {} is {}, at word {}, lane {}",
                               decoder::opcode_name(i.op), *a, *b, *result,
                               batch.program->source_of(&inst).word_offset, lane));
  }

  std::vector<const Instruction*> computed_;
};

/// Values of kRounds in a work-item's round.
struct Round {
  std::uint64_t rounds, j, total;
  Round(std::uint64_t item, std::uint64_t round) : rounds(item % 5 + 1), j(round), total(0) {
    for (std::uint64_t n = 0; n < j; ++n) total += 2 * n * n;
  }
};

/// Counts each work-item's rounds and compares what its ids and variables are with them.
class RoundsCheck final : public Recompute {
 public:
  using Recompute::Recompute;

  void instruction(const Batch& batch, const vm::Inst& inst) override {
    Recompute::instruction(batch, inst);
    const vm::Source& source = batch.program->source_of(&inst);
    for_each_running(batch, [&](std::uint32_t lane) {
      const std::uint64_t item = vm::exec::work_item(batch, lane).global_id[0];
      if (source.op == spv::Op::OpStore) stores(batch, inst, lane, item);
      if (source.op == spv::Op::OpReturn) ends(batch, inst, lane, item);
      if (source.op == spv::Op::OpIAdd && source.called_from != 0) in_call(batch, inst, lane, item);
    });
  }
  std::map<std::string, std::uint64_t> compared;

 private:
  void compare(const Batch& batch, const vm::Inst& inst, std::uint32_t lane, const char* name,
               std::uint64_t expected) {
    const auto value = read(batch, inst, id_of(name), 0, lane);
    if (!value) return;
    ++compared[name];
    if (*value != expected)
      wrong.insert(fmt::format("{} is {} instead of {}, at word {}", name, *value, expected,
                               batch.program->source_of(&inst).word_offset));
  }
  void compare_total(const Batch& batch, const vm::Inst& inst, std::uint32_t lane,
                     std::uint64_t expected) {
    const auto place = vm::exec::local_at(*batch.program, &inst, "total");
    if (place.sight != Sight::kSeen || !place.is_variable) {
      wrong.insert("the local 'total' is not known");
      return;
    }
    const vm::NamedVariable* variable = vm::exec::variable_at(batch, &inst, place.id);
    std::uint32_t bits = 0;
    if (variable == nullptr || variable->name != "total" ||
        vm::exec::read_variable(batch, *variable, lane, 0,
                                std::as_writable_bytes(std::span(&bits, 1))) != Sight::kSeen) {
      wrong.insert("the variable 'total' cannot be read");
      return;
    }
    ++compared["total"];
    if (bits != expected) wrong.insert(fmt::format("total is {} instead of {}", bits, expected));
  }

  void stores(const Batch& batch, const vm::Inst& inst, std::uint32_t lane, std::uint64_t item) {
    const std::uint64_t n =
        stores_[item]++;  // the first one is total = 0, the last one a[i] = last
    const Round at(item, n == 0 ? 0 : n - 1);
    compare(batch, inst, lane, "i32", item);
    if (n == 0) return;
    compare(batch, inst, lane, "limit", at.rounds);
    if (n > at.rounds) return;
    compare(batch, inst, lane, "j", at.j);
    compare(batch, inst, lane, "tw", 2 * at.j * at.j);
    compare(batch, inst, lane, "old", at.total);
    compare(batch, inst, lane, "new", at.total + 2 * at.j * at.j);
    compare_total(batch, inst, lane, at.total);
    const auto j = vm::exec::local_at(*batch.program, &inst, "j");
    if (j.sight != Sight::kSeen || j.is_variable || j.id != id_of("j"))
      wrong.insert("no local 'j'");
    if (vm::exec::value_of(batch, &inst, id_of("last"), 0, lane).sight != Sight::kOutOfScope)
      wrong.insert("'last' has a value in the loop");
  }
  void in_call(const Batch& batch, const vm::Inst& inst, std::uint32_t lane, std::uint64_t item) {
    const Round at(item, stores_[item] - 1);
    compare(batch, inst, lane, "x", at.j * at.j);
    compare(batch, inst, lane, "j", at.j);
    compare_total(batch, inst, lane, at.total);
    const auto frames = vm::exec::call_frames(*batch.program, &inst);
    if (frames.size() != 2 || frames[0].function != id_of("twice") ||
        frames[1].function != id_of("k") || frames[1].op != spv::Op::OpFunctionCall)
      wrong.insert("the frames are others");
  }
  void ends(const Batch& batch, const vm::Inst& inst, std::uint32_t lane, std::uint64_t item) {
    const Round at(item, item % 5);
    compare_total(batch, inst, lane, at.total + 2 * at.j * at.j);
    compare(batch, inst, lane, "next", at.rounds);
    compare(batch, inst, lane, "tw", 2 * at.j * at.j);
    compare(batch, inst, lane, "last", at.rounds + 2 * at.j * at.j);
    if (vm::exec::value_of(batch, &inst, id_of("x"), 0, lane).sight != Sight::kOutOfScope)
      wrong.insert("the parameter of a call that is over has a value");
  }

  Id id_of(std::string_view name) {
    for (const auto& [id, known] : module_.names)
      if (known == name) return id;
    return 0;
  }

  std::map<std::uint64_t, std::uint64_t> stores_;
};

Buffer make_numbers(std::uint64_t count) {
  Buffer buffer = make_buffer(count * 4);
  for (std::uint64_t i = 0; i < count; ++i) buffer.as<float>()[i] = static_cast<float>(i % 11) / 2;
  return buffer;
}

/// Runs a kernel of one buffer of numbers and checks what it computes.
void recompute(const Module& module, std::uint64_t items, std::uint64_t at_least) {
  on_each_path([&](const std::string& isa, bool reference) {
    Buffer watched = make_numbers(items * 4), alone = make_numbers(items * 4);
    Recompute check(module);
    Launch launch = debugged(module, items, reference, args_of(watched));
    watch(launch, check, isa);
    CHECK(joined(check.wrong) == "");
    CHECK(check.checked.size() >= at_least);
    launch.arguments = args_of(alone);
    launch.debug_info = false;
    run(make_device(1, isa), launch);
    CHECK(std::memcmp(watched.bytes().data(), alone.bytes().data(), items * 16) == 0);
  });
}

constexpr const char* kSource = R"(
float4 mixed(float4 v, float s) { return v * s + v; }
float sum(float4 v) { float2 h = v.lo + v.hi; return h.x + h.y; }
kernel void k(global float4* a) {
  size_t i = get_global_id(0);
  float4 v = a[i];
  uint rounds = (uint)i % 7u + 1u, odd = 0;
  for (uint n = 0; n < rounds; ++n) {
    if ((n ^ (uint)i) & 1u) { v = mixed(v, sum(v) - 3.0f); odd = odd * 3u + n; }
    else v = v - (float4)(1.0f, 2.0f, 3.0f, 4.0f);
    for (uint m = 0; m < (n & 3u); ++m) v.x = v.x + v.y * (float)(m + odd);
  }
  a[i] = v;
})";

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

void check_rounds(const std::string& text) {
  const Module module = load(text);
  on_each_path([&](const std::string& isa, bool reference) {
    Buffer a = make_buffer(4 * 150);
    RoundsCheck check(module);
    watch(debugged(module, 150, reference, args_of(a)), check, isa);
    CHECK(joined(check.wrong) == "");
    // 30 each of 1 to 5 rounds. Two names are seen everywhere by the reference path alone.
    std::map<std::string, std::uint64_t> expected{{"total", 450 + 450 + 150},
                                                  {"i32", 750},
                                                  {"j", 900},
                                                  {"x", 450},
                                                  {"new", 450},
                                                  {"old", 450},
                                                  {"next", 150},
                                                  {"tw", 450 + 150},
                                                  {"last", 150}};
    for (const auto& each : expected) {
      CAPTURE(each.first);
      const bool is_everywhere = reference || (each.first != "i32" && each.first != "x");
      if (is_everywhere) CHECK(check.compared[each.first] == each.second);
    }
    CHECK(check.checked.size() >= 6);
    for (std::uint32_t i = 0; i < 150; ++i)
      CHECK(a.as<std::uint32_t>()[i] == i % 5 + 1 + 2 * (i % 5) * (i % 5));
  });
}

TEST_CASE("debug info: values and variables of a loop, a call and what comes behind") {
  for (const std::string& text : {kRounds, kShaderRounds}) check_rounds(text);
}

TEST_CASE("debug info: of programs that keep no values there is none") {
  const Module module = load(kRounds);
  Buffer a = make_buffer(4 * 10);
  Launch launch = debugged(module, 10, true, args_of(a));
  launch.debug_info = false;
  Recompute check(module);
  watch(launch, check);
  CHECK(check.seen.empty());
  CHECK(check.gone.empty());
}

TEST_CASE("debug info: a cycle of two entries") { recompute(load(kTangled), 70, 2); }

TEST_CASE("debug info: compiled kernels, optimised by clang or not") {
  for (const char* level : {"-O0", "-O2"}) {
    CAPTURE(std::string(level));
    const std::optional<Module> module = compile_at(level, kSource);
    if (module) recompute(*module, 70, 5);
  }
}

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
    watch(debugged(module, 100, reference, args_of(a)), check, isa);
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
      watch(debugged(*module, 100, reference, args_of(a)), check, isa);
      CHECK(joined(check.wrong) == "");
      CHECK(check.compared["total"] == 100);
      CHECK(check.compared["i"] == 100);
    });
  }
}

}  // namespace
}  // namespace transpire::test
