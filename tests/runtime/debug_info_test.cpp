// Programs that keep values say what each <id> and variable is while the kernel runs, or that it is gone, and
// never anything else: what is read is computed again from what its operands are.
#include <cstring>
#include <map>
#include <optional>
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

/// A loop of i % 5 + 1 rounds by work-item i: total += twice(j * j). What the last round gave is used
/// behind it.
const std::string kRounds =
    text_of(ObservedModule{.imports = "%d = OpExtInstImport \"OpenCL.DebugInfo.100\"",
                           .names = R"(
  %total_str = OpString "total"
      %j_str = OpString "j"
   %file_str = OpString "rounds.cl"
               OpName %k "k"
               OpName %twice "twice"
               OpName %total "total"
               OpName %x "x"
               OpName %double "double"
               OpName %i32 "i32"
               OpName %limit "limit"
               OpName %j "j"
               OpName %square "square"
               OpName %tw "tw"
               OpName %old "old"
               OpName %new "new"
               OpName %next "next"
               OpName %last "last"
)",
                           .declarations = R"(
        %u32 = OpConstant %uint 32
      %fuint = OpTypePointer Function %uint
  %twice_fn  = OpTypeFunction %uint %uint
       %none = OpExtInst %void %d DebugInfoNone
     %source = OpExtInst %void %d DebugSource %file_str
       %unit = OpExtInst %void %d DebugCompilationUnit 1 4 %source OpenCL_C
      %basic = OpExtInst %void %d DebugTypeBasic %file_str %u32 Unsigned
  %total_loc = OpExtInst %void %d DebugLocalVariable %total_str %basic %source 1 1 %unit FlagIsLocal
      %j_loc = OpExtInst %void %d DebugLocalVariable %j_str %basic %source 1 1 %unit FlagIsLocal
      %plain = OpExtInst %void %d DebugExpression
)",
                           .functions = R"(
      %twice = OpFunction %uint None %twice_fn
          %x = OpFunctionParameter %uint
 %twice_body = OpLabel
     %double = OpIAdd %uint %x %x
               OpReturnValue %double
               OpFunctionEnd

          %k = OpFunction %void None %fn
          %a = OpFunctionParameter %puint
      %entry = OpLabel
      %total = OpVariable %fuint Function
    %declare = OpExtInst %void %d DebugDeclare %total_loc %total %plain
        %ids = OpLoad %ulong3 %gid
          %i = OpCompositeExtract %ulong %ids 0
        %i32 = OpUConvert %uint %i
               OpStore %total %u0 Aligned 4
       %rest = OpUMod %uint %i32 %u5
      %limit = OpIAdd %uint %rest %u1
               OpBranch %loop
       %loop = OpLabel
          %j = OpPhi %uint %u0 %entry %next %loop
    %value_j = OpExtInst %void %d DebugValue %j_loc %j %plain
     %square = OpIMul %uint %j %j
         %tw = OpFunctionCall %uint %twice %square
        %old = OpLoad %uint %total Aligned 4
        %new = OpIAdd %uint %old %tw
               OpStore %total %new Aligned 4
       %next = OpIAdd %uint %j %u1
       %more = OpULessThan %bool %next %limit
               OpBranchConditional %more %loop %out
        %out = OpLabel
       %last = OpIAdd %uint %next %tw
         %at = OpInBoundsPtrAccessChain %puint %a %i
               OpStore %at %last Aligned 4
               OpReturn
               OpFunctionEnd
)"});

/// A cycle of two entries: left by odd work-items, right by even ones, then round until n is 1.
const std::string kTangled = text_of(ObservedModule{.functions = R"(
          %k = OpFunction %void None %fn
          %a = OpFunctionParameter %puint
      %entry = OpLabel
        %ids = OpLoad %ulong3 %gid
          %i = OpCompositeExtract %ulong %ids 0
          %n = OpUConvert %uint %i
         %at = OpInBoundsPtrAccessChain %puint %a %i
      %odd_n = OpBitwiseAnd %uint %n %u1
        %odd = OpIEqual %bool %odd_n %u1
               OpBranchConditional %odd %left %right
       %left = OpLabel
    %n_left  = OpPhi %uint %n %entry %n_next %right
    %by_left = OpIMul %uint %n_left %u3
               OpStore %at %by_left Aligned 4
               OpBranch %right
      %right = OpLabel
    %n_right = OpPhi %uint %n %entry %n_left %left
       %seen = OpLoad %uint %at Aligned 4
        %sum = OpIAdd %uint %seen %n_right
               OpStore %at %sum Aligned 4
     %n_next = OpISub %uint %n_right %u1
       %more = OpUGreaterThan %bool %n_right %u1
               OpBranchConditional %more %left %out
        %out = OpLabel
      %final = OpIAdd %uint %n_next %n_right
               OpStore %at %final Aligned 4
               OpReturn
               OpFunctionEnd
)"});

std::uint64_t truncated(std::uint64_t bits, std::uint32_t width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

std::optional<float> float_result(spv::Op op, std::uint64_t left, std::uint64_t right) {
  float a, b;
  std::memcpy(&a, &left, 4);
  std::memcpy(&b, &right, 4);
  switch (op) {
    case spv::Op::OpFAdd:
      return a + b;
    case spv::Op::OpFSub:
      return a - b;
    case spv::Op::OpFMul:
      return a * b;
    default:
      return std::nullopt;
  }
}

/// What an instruction of two operands gives; nothing for those that the test does not know.
std::optional<std::uint64_t> result_of(spv::Op op, const decoder::Type& type, std::uint64_t a,
                                       std::uint64_t b) {
  switch (op) {
    case spv::Op::OpIAdd:
      return truncated(a + b, type.width_bits);
    case spv::Op::OpISub:
      return truncated(a - b, type.width_bits);
    case spv::Op::OpIMul:
      return truncated(a * b, type.width_bits);
    case spv::Op::OpUMod:
      return b == 0 ? std::nullopt : std::optional(a % b);
    case spv::Op::OpBitwiseAnd:
      return a & b;
    case spv::Op::OpBitwiseXor:
      return a ^ b;
    case spv::Op::OpULessThan:
      return a < b;
    case spv::Op::OpUGreaterThan:
      return a > b;
    case spv::Op::OpIEqual:
      return a == b;
    default:
      break;
  }
  const std::optional<float> number = float_result(op, a, b);
  if (!number || type.width_bits != 32) return std::nullopt;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &*number, 4);
  return bits;
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

/// What kRounds has in a work-item's round.
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
  for (std::uint64_t i = 0; i < count; ++i) {
    const float value = static_cast<float>(i % 11) / 2;
    std::memcpy(buffer.bytes().data() + 4 * i, &value, 4);
  }
  return buffer;
}

/// Runs a kernel of one buffer of numbers and checks what it computes.
void recompute(const Module& module, std::uint64_t items, std::uint64_t at_least) {
  on_each_path([&](const std::string& isa, bool reference) {
    Buffer watched = make_numbers(items * 4), alone = make_numbers(items * 4);
    Recompute check(module);
    Launch launch = debugged(module, items, reference, {Argument::buffer(watched)});
    watch(launch, check, isa);
    CHECK(joined(check.wrong) == "");
    CHECK(check.checked.size() >= at_least);
    launch.arguments = {Argument::buffer(alone)};
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

}  // namespace

TEST_CASE("debug info: values and variables of a loop, a call and what comes behind") {
  const Module module = load(kRounds);
  on_each_path([&](const std::string& isa, bool reference) {
    Buffer a = make_buffer(4 * 150);
    RoundsCheck check(module);
    watch(debugged(module, 150, reference, {Argument::buffer(a)}), check, isa);
    CHECK(joined(check.wrong) == "");
    // 30 each of 1 to 5 rounds.
    CHECK(check.compared["total"] == 450 + 450 + 150);
    CHECK(check.compared["i32"] == (reference ? 750 : check.compared["i32"]));
    CHECK(check.compared["j"] == 900);
    CHECK(check.compared["x"] == (reference ? 450 : check.compared["x"]));
    CHECK(check.compared["new"] == 450);
    CHECK(check.compared["old"] == 450);
    CHECK(check.compared["next"] == 150);
    CHECK(check.compared["tw"] == 450 + 150);
    CHECK(check.compared["last"] == 150);
    CHECK(check.checked.size() >= 6);
    for (std::uint32_t i = 0; i < 150; ++i) {
      std::uint32_t stored = 0;
      std::memcpy(&stored, a.bytes().data() + 4 * i, 4);
      CHECK(stored == i % 5 + 1 + 2 * (i % 5) * (i % 5));
    }
  });
}

TEST_CASE("debug info: of programs that keep no values there is none") {
  const Module module = load(kRounds);
  Buffer a = make_buffer(4 * 10);
  Launch launch = debugged(module, 10, true, {Argument::buffer(a)});
  launch.debug_info = false;
  Recompute check(module);
  watch(launch, check);
  CHECK(check.seen.empty());
  CHECK(check.gone.empty());
}

TEST_CASE("debug info: a cycle of two entries") { recompute(load(kTangled), 100, 2); }

TEST_CASE("debug info: compiled kernels, optimised by clang or not") {
  for (const char* level : {"-O0", "-O2"}) {
    CAPTURE(level);
    const std::optional<Module> module = compile_at(level, kSource);
    if (module) recompute(*module, 100, 5);
  }
}

}  // namespace transpire::test
