// A kernel's graph as SPIR-V assembly.
//
// The kernel's parameters: trace (u16, `room` for each work-item), room, results (u64), lengths
// (u32), state (3 u32 for each work-item, where the kernel keeps its state there), salt, local
// memory (u32 for each work-item of the group), its work-items, visits (u32 for each block), table
// (u32). Functions get their pointers handed down.
#include <bit>

#include "tests/fuzz/oracle/assembly.h"
#include "tests/fuzz/oracle/graph.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::oracle {
namespace {

std::string name_of(Type type) {
  static constexpr const char* kNames[] = {
      "bool", "uchar", "ushort", "uint", "ulong", "float", "v4ushort", "_ptr_CrossWorkgroup_uint"};
  return kNames[static_cast<int>(type)];
}

constexpr const char* kState[] = {"length", "varying", "uniform"};  ///< counters of a work-item

class Writer : Assembly {
 public:
  explicit Writer(const Kernel& kernel)
      : kernel_(kernel),
        state_(kernel.state_in_buffer ? "_ptr_CrossWorkgroup_uint" : "_ptr_Function_uint") {}

  std::string write() {
    for (const char* id :
         {"GlobalInvocationId", "LocalInvocationIndex", "WorkgroupId", "NumWorkgroups"})
      global("OpDecorate %{} Constant", id);
    if (kernel_.functions.size() > 1)
      global(
          "%callee_type = OpTypeFunction %ulong %uint %uint %ulong %ulong "
          "%_ptr_CrossWorkgroup_uint %_ptr_CrossWorkgroup_ushort %{0} %{0} %{0} "
          "%_ptr_Workgroup_uint %uint %uint %_ptr_CrossWorkgroup_uint",
          state_);
    for (function_ = 0; function_ < static_cast<int>(kernel_.functions.size()); ++function_)
      write_function();
    return shorthand::declare(short_form());
  }

 private:
  using Text = const std::string&;

  std::string constant(Type type, std::uint64_t bits) {
    if (type == Type::kBool) return bits != 0 ? "%true" : "%false";
    if (type == Type::kF32)
      return fmt::format("%float_{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    std::string name = fmt::format("%{}_{}", name_of(type), bits);
    if (type == Type::kU16x4)
      global("{} = OpConstantComposite %v4ushort %ushort_{} %ushort_{} %ushort_{} %ushort_{}", name,
             bits & 0xffff, bits >> 16 & 0xffff, bits >> 32 & 0xffff, bits >> 48);
    return name;
  }
  static std::string uint(std::uint64_t bits) { return fmt::format("%uint_{}", bits); }
  std::string value(int index) const { return given(fmt::format("v{}", index)); }
  std::string operand(const Operand& from) {
    return from.value == kNone ? constant(from.type, from.bits) : value(from.value);
  }
  std::string label_of(int block) const {
    return function_ == 0 && block == 0 ? "%entry_of_walk" : given(fmt::format("b{}", block));
  }
  /// A name in the function that is being written.
  std::string given(std::string_view name) const { return fmt::format("%f{}_{}", function_, name); }

  // ---- Functions -------------------------------------------------------------------------------

  const Function& here() const { return nth(kernel_.functions, function_); }

  void write_function() {
    if (function_ == 0)
      begin_function(
          "kernel walk(%_ptr_CrossWorkgroup_ushort traces, %uint room, "
          "%_ptr_CrossWorkgroup_ulong results,\n%_ptr_CrossWorkgroup_uint lengths states, "
          "%uint salt, %_ptr_Workgroup_uint f0_local, %uint group_items,\n"
          "%_ptr_CrossWorkgroup_uint f0_visits f0_v4)");
    else
      begin_function(callee_head());
    for (const int block : here().order) write_block(block);
    end_function("");
  }

  std::string callee_head() const {
    std::string head = fmt::format("%f{} = OpFunction %ulong None %callee_type", function_);
    const auto parameter = [&](const std::string& name, std::string_view type) {
      head += fmt::format("\n{} = OpFunctionParameter %{}", name, type);
    };
    static constexpr const char* kTypes[] = {"uint", "uint", "ulong", "ulong",
                                             "_ptr_CrossWorkgroup_uint"};
    for (int i = 0; i < Function::kParameters; ++i) parameter(value(i), kTypes[i]);
    parameter(given("trace"), "_ptr_CrossWorkgroup_ushort");
    for (const char* name : kState) parameter(given(name), state_);
    parameter(given("local"), "_ptr_Workgroup_uint");
    parameter(given("mine"), "uint");
    parameter(given("next"), "uint");
    parameter(given("visits"), "_ptr_CrossWorkgroup_uint");
    return head;
  }

  /// What the entry point does first: the item's number, its keys and its state.
  void write_prologue() {
    line("%f0_mine = OpUConvert %uint {}", make("OpLoad %ulong %LocalInvocationIndex"));
    const std::string groups = make("OpLoad %v3ulong %WorkgroupId"),
                      counts = make("OpLoad %v3ulong %NumWorkgroups");
    const std::string x = make("OpCompositeExtract %ulong {} 0", groups);
    const std::string y = make("OpCompositeExtract %ulong {} 1", groups);
    const std::string in_row = make("OpCompositeExtract %ulong {} 0", counts);
    const std::string before = make("OpIMul %ulong {} {}", y, in_row);
    const std::string group = make("OpUConvert %uint {}", make("OpIAdd %ulong {} {}", x, before));
    line("%item = OpIAdd %uint {} %f0_mine", make("OpIMul %uint {} %group_items", group));
    // Kernels with linear ids are launched in one dimension, where both numbers are the same.
    line("%number = {}", kernel_.linear_ids ? "OpUConvert %uint %gid" : "OpCopyObject %uint %item");
    line("%f0_next = OpUMod %uint {} %group_items", make("OpIAdd %uint %f0_mine %uint_1"));
    const std::string shifted =
        make("OpShiftRightLogical %uint %number %uint_{}", kernel_.item_shift);
    line("{} = OpCopyObject %uint {}", value(Function::kItemKey), hash("%salt", shifted, 0));
    const std::string whose = kernel_.key_per_launch ? uint(0) : group;
    line("{} = OpCopyObject %uint {}", value(Function::kGroupKey), hash("%salt", whose, 1));
    line("{} = OpUConvert %ulong {}", value(Function::kFirst), value(Function::kItemKey));
    line("{} = OpUConvert %ulong %number", value(Function::kSecond));
    line("%f0_trace = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ushort %traces {}",
         make("OpIMul %uint %number %room"));
    for (int i = 0; i < 3; ++i) {
      if (kernel_.state_in_buffer)
        line("{} = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %states {}", given(kState[i]),
             make("OpIAdd %uint {} %uint_{}", make("OpIMul %uint %number %uint_3"), i));
      line("OpStore {} %uint_0", given(kState[i]));
    }
  }

  std::string hash(Text key, Text tick, std::uint32_t number) {
    std::string x = make("OpIMul %uint {} %uint_{}", tick, 0x9E3779B1u);
    x = make("OpIAdd %uint {} {}", key, x);
    x = make("OpIAdd %uint {} %uint_{}", x, number * 0x85EBCA77u);
    const auto mix = [&](unsigned shift) {
      return make("OpBitwiseXor %uint {} {}", x,
                  make("OpShiftRightLogical %uint {} %uint_{}", x, shift));
    };
    x = make("OpIMul %uint {} %uint_{}", mix(15), 0x2C1B3C6Du);
    x = make("OpIMul %uint {} %uint_{}", mix(12), 0x297A2D39u);
    return mix(15);
  }

  // ---- Private variables -----------------------------------------------------------------------

  std::string variable_name(std::size_t slot) const { return given(fmt::format("p{}", slot)); }

  void declare_variables() {
    if (function_ == 0 && !kernel_.state_in_buffer)
      for (const char* name : kState)
        line("{} = OpVariable %_ptr_Function_uint Function", given(name));
    for (std::size_t slot = 0; slot < here().variables.size(); ++slot) {
      const Variable& variable = here().variables[slot];
      std::string type = "uint", initial = uint(variable.initial);
      if (variable.size != 1) {
        type = fmt::format("array{}", variable.size);
        global("%{} = OpTypeArray %uint %uint_{}", type, variable.size);
      }
      if (variable.size != 1 && variable.initializer) {
        std::string parts;
        for (std::uint32_t i = 0; i < variable.size; ++i) parts += " " + uint(variable.initial);
        initial = fmt::format("%{}_{}", type, variable.initial);
        global("{} = OpConstantComposite %{}{}", initial, type, parts);
      }
      line("{} = OpVariable %_ptr_Function_{} Function {}", variable_name(slot), type,
           variable.initializer ? initial : "");
    }
  }

  void initialise_variables() {
    for (std::size_t slot = 0; slot < here().variables.size(); ++slot) {
      const Variable& variable = here().variables[slot];
      for (std::uint32_t i = 0; i < variable.size && !variable.initializer; ++i)
        line("OpStore {} %uint_{}", element(slot, uint(i)), variable.initial);
    }
  }

  std::string element(std::size_t slot, Text index) {
    if (here().variables[slot].size == 1) return variable_name(slot);
    return make("OpInBoundsAccessChain %_ptr_Function_uint {} {}", variable_name(slot), index);
  }

  // ---- Blocks ----------------------------------------------------------------------------------

  void write_block(int index) {
    const Block& block = nth(here().blocks, index);
    if (function_ != 0 || index != 0) label(label_of(index));
    for (const Phi& phi : block.phis) {
      std::string pairs;
      for (std::size_t i = 0; i < phi.from.size(); ++i)
        pairs += fmt::format(" {} {}", operand(phi.incoming[i]), label_of(phi.from[i]));
      line("{} = OpPhi %{}{}", value(phi.result), name_of(phi.type), pairs);
    }
    if (index == 0) {
      declare_variables();
      if (function_ == 0) write_prologue();
      initialise_variables();
    }
    if (!block.silent) write_trace(block);
    for (const Operation& operation : block.operations)
      write_operation(value(operation.result), operation, block);
    write_end(block);
  }

  void write_trace(const Block& block) {
    const std::string length = count_up("length");
    line("OpStore {} %ushort_{}",
         make("OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_ushort {} {}", given("trace"), length),
         block.number);
    tick_ = make("OpIAdd %uint {} %uint_1", count_up(block.uniform ? "uniform" : "varying"));
    hash_ =
        hash(value(block.uniform ? Function::kGroupKey : Function::kItemKey), tick_, block.number);
  }

  /// Adds one to a part of the state; gives what it was.
  std::string count_up(std::string_view name) {
    std::string before = make("OpLoad %uint {}", given(name));
    line("OpStore {} {}", given(name), make("OpIAdd %uint {} %uint_1", before));
    return before;
  }

  void write_operation(Text result, const Operation& operation, const Block& block) {
    const std::string a = operand(operation.a), b = operand(operation.b);
    const auto binary = [&](const char* opcode) {
      line("{} = {} %{} {} {}", result, opcode, name_of(operation.type), a, b);
    };
    switch (operation.kind) {
      case Do::kAdd:
        return binary("OpIAdd");
      case Do::kMultiply:
        return binary("OpIMul");
      case Do::kXor:
        return binary(operation.type == Type::kBool ? "OpLogicalNotEqual" : "OpBitwiseXor");
      case Do::kAnd:
        return binary("OpBitwiseAnd");
      case Do::kLess:
        return binary("OpULessThan");
      case Do::kHash:
        return line("{} = OpCopyObject %uint {}", result, hash_);
      case Do::kSelect:
        return line("{} = OpSelect %{} {} {} {}", result, name_of(operation.type), a, b,
                    operand(operation.c));
      case Do::kConvert:
        return write_conversion(result, operation, a);
      case Do::kExchange:
        return write_exchange(result, block);
      case Do::kLoad:
        return line("{} = OpLoad %uint {}", result, element(operation.slot, a));
      case Do::kStore:
        return line("OpStore {} {}", element(operation.slot, a), b);
      case Do::kCount:
        return line("{} = OpAtomicIAdd %uint {} %uint_1 %uint_0 %uint_1", result,
                    make("OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint {} %uint_{}",
                         given("visits"), block.number));
      case Do::kCall: {
        std::string handed_down;
        for (const char* name :
             {"v4", "trace", "length", "varying", "uniform", "local", "mine", "next", "visits"})
          handed_down += " " + given(name);
        return line("{} = OpFunctionCall %ulong %f{} {} {} {} {}{}", result, operation.function,
                    value(0), value(1), a, b, handed_down);
      }
    }
  }

  void write_conversion(Text result, const Operation& operation, Text from) {
    const Type to = operation.type, of = operation.a.type;
    const auto is_moved = [](Type type) { return !is_number(type) && type != Type::kBool; };
    std::string text = fmt::format("OpUConvert %{} {}", name_of(to), from);
    if (of == Type::kPointer)
      text = "OpLoad %uint " + from;
    else if (to == Type::kPointer)
      text = fmt::format("OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint {} {}",
                         value(Function::kTable), from);
    else if (is_moved(to) || is_moved(of))
      text = fmt::format("OpBitcast %{} {}", name_of(to), from);
    else if (to == Type::kBool)
      text = fmt::format("OpINotEqual %bool {} {}", from, constant(of, 0));
    else if (of == Type::kBool)
      text = fmt::format("OpSelect %{0} {1} %{0}_1 %{0}_0", name_of(to), from);
    line("{} = {}", result, text);
  }

  void write_exchange(Text result, const Block& block) {
    const auto place = [&](std::string_view whose) {
      return make("OpInBoundsPtrAccessChain %_ptr_Workgroup_uint {} {}", given("local"),
                  given(whose));
    };
    const std::string mine = place("mine");
    line("OpStore {} {}", mine, hash(value(Function::kItemKey), tick_, block.number));
    line("OpControlBarrier %uint_2 %uint_2 %uint_272");
    line("{} = OpLoad %uint {}", result, place("next"));
    line("OpControlBarrier %uint_2 %uint_2 %uint_272");
  }

  void write_end(const Block& block) {
    const bool merges = kernel_.merges && block.merge != kNone;
    std::string merge;
    if (merges && block.loop_continue != kNone && block.end != End::kSwitch)
      merge = fmt::format("OpLoopMerge {} {} None\n", label_of(block.merge),
                          label_of(block.loop_continue));
    else if (merges && block.loop_continue == kNone && block.end != End::kBranch)
      merge = fmt::format("OpSelectionMerge {} None\n", label_of(block.merge));
    switch (block.end) {
      case End::kBranch:
        return line("{}OpBranch {}", merge, label_of(block.targets[0]));
      case End::kChoose:
        return line("{}OpBranchConditional {} {} {}", merge, condition_of(block),
                    label_of(block.targets[0]), label_of(block.targets[1]));
      case End::kSwitch:
        return write_switch(block, merge);
      case End::kReturn:
        return write_return(block);
      case End::kUnreachable:
      case End::kNone:
        return line("OpUnreachable");
    }
  }

  std::string over(const Block& block) {
    const std::uint32_t most = block.uniform ? kernel_.uniform_ticks : kernel_.varying_ticks;
    return make("OpUGreaterThanEqual %bool {} %uint_{}", tick_, most);
  }

  std::string condition_of(const Block& block) {
    if (block.source == Source::kAlwaysFirst)
      return make("OpULessThan %bool {} %uint_{}", tick_, 0x40000000u);
    const Counter& counter = block.counter;
    if (block.source == Source::kCounter)
      return make("{} %bool {} {}", counter.not_equal ? "OpINotEqual" : "OpULessThan",
                  value(counter.value), operand(counter.limit));
    std::string raw = operand(block.decides);
    if (block.silent) return raw;
    if (block.source == Source::kHash)
      raw = make("OpINotEqual %bool {} %uint_0",
                 make("OpBitwiseAnd %uint {} %uint_{}", hash_, 1u << block.bit));
    return make("OpSelect %bool {} {} {}", over(block), block.way_out == 0 ? "%true" : "%false",
                raw);
  }

  void write_switch(const Block& block, Text merge) {
    const std::string type = name_of(block.selector);
    std::string choice = make("OpUMod %uint {} %uint_{}", hash_, block.choices);
    choice = make("OpSelect %uint {} %uint_{} {}", over(block), block.way_out, choice);
    if (block.selector != Type::kU32) choice = make("OpUConvert %{} {}", type, choice);
    if (block.stride != 1) choice = make("OpIMul %{0} {1} %{0}_{2}", type, choice, block.stride);
    if (block.base != 0) choice = make("OpIAdd %{0} {1} %{0}_{2}", type, choice, block.base);
    std::string cases;
    for (std::size_t i = 0; i + 1 < block.targets.size(); ++i) {
      const std::string one = fmt::format(
          " {} {}", cut(block.selector, block.base + i * block.stride), label_of(block.targets[i]));
      cases = block.base % 2 == 0 ? cases + one : one + cases;
    }
    line("{}OpSwitch {} {}{}", merge, choice, label_of(block.targets.back()), cases);
  }

  void write_return(const Block& block) {
    if (function_ != 0) return line("OpReturnValue {}", operand(block.result));
    line("store %results[%number] {}", operand(block.result));
    line("store %lengths[%number] {}", make("OpLoad %uint %f0_length"));
    line("OpReturn");
  }

  const Kernel& kernel_;
  std::string state_;  ///< type of the pointers to the state
  int function_ = 0;
  std::string tick_, hash_;
};

}  // namespace

std::string text_of(const Kernel& kernel) { return Writer(kernel).write(); }

}  // namespace transpire::oracle
