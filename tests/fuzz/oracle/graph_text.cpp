// A kernel's graph as SPIR-V assembly.
//
// The kernel's parameters: trace (u16, `room` for each work-item), room, results (u64), lengths
// (u32), state (3 u32 for each work-item, where the kernel keeps its state there), salt, local
// memory (u32 for each work-item of the group), its work-items, visits (u32 for each block), table
// (u32). Functions get their pointers handed down.
#include <bit>
#include <set>

#include "tests/fuzz/oracle/graph.h"

namespace transpire::oracle {
namespace {

std::string name_of(Type type) {
  static constexpr const char* kNames[] = {"bool", "u8",  "u16",   "u32",
                                           "u64",  "f32", "u16x4", "g_u32"};
  return kNames[static_cast<int>(type)];
}

class Writer {
 public:
  explicit Writer(const Kernel& kernel)
      : kernel_(kernel), state_(kernel.state_in_buffer ? "%g_u32" : "%p_u32") {}

  std::string write() {
    for (std::size_t i = 0; i < kernel_.functions.size(); ++i) write_function(static_cast<int>(i));
    return head() + types() + constants() + body_;
  }

 private:
  using Text = const std::string&;
  void line(Text text) { body_ += "  " + text + "\n"; }
  /// A new name with an instruction that makes it.
  std::string make(Text instruction) {
    std::string name = "%t" + std::to_string(++temporaries_);
    line(name + " = " + instruction);
    return name;
  }
  std::string constant(Type type, std::uint64_t bits) {
    const std::string name = "%" + name_of(type) + "_" + std::to_string(bits);
    if (type == Type::kU16x4) {
      std::string text = name + " = OpConstantComposite %u16x4";
      for (unsigned shift = 0; shift < 64; shift += 16)
        text += " " + constant(Type::kU16, bits >> shift & 0xffff);
      composites_.insert(text);
      return name;
    }
    if (type == Type::kF32) {
      const auto number = static_cast<int>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      constants_.insert(name + " = OpConstant %f32 " + std::to_string(number) + ".0");
      return name;
    }
    constants_.insert(type == Type::kBool
                          ? name +
                                (bits != 0 ? " = OpConstantTrue %bool" : " = OpConstantFalse %bool")
                          : name + " = OpConstant %" + name_of(type) + " " + std::to_string(bits));
    return name;
  }
  std::string u32(std::uint64_t bits) { return constant(Type::kU32, bits); }
  std::string value(int index) const {
    return "%f" + std::to_string(function_) + "_v" + std::to_string(index);
  }
  std::string operand(const Operand& from) {
    return from.value == kNone ? constant(from.type, from.bits) : value(from.value);
  }
  std::string label(int block) const {
    return "%f" + std::to_string(function_) + "_b" + std::to_string(block);
  }
  /// A parameter that every function has.
  std::string given(Text name) const { return "%f" + std::to_string(function_) + "_" + name; }

  // ---- The module's parts ----------------------------------------------------------------------

  static std::string head() {
    return "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int8\nOpCapability Int16\n"
           "OpCapability Int64\nOpMemoryModel Physical64 OpenCL\n"
           "OpEntryPoint Kernel %kernel \"walk\" %global_id %local_index %group_id %group_count\n"
           "OpDecorate %global_id BuiltIn GlobalInvocationId\nOpDecorate %local_index BuiltIn "
           "LocalInvocationIndex\n"
           "OpDecorate %group_id BuiltIn WorkgroupId\nOpDecorate %group_count BuiltIn "
           "NumWorkgroups\n"
           "OpDecorate %global_id Constant\nOpDecorate %local_index Constant\n"
           "OpDecorate %group_id Constant\nOpDecorate %group_count Constant\n";
  }
  std::string types() const {
    return "%void = OpTypeVoid\n%bool = OpTypeBool\n%u8 = OpTypeInt 8 0\n%u16 = OpTypeInt 16 0\n"
           "%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n%u64x3 = OpTypeVector %u64 3\n%f32 = "
           "OpTypeFloat 32\n"
           "%u16x4 = OpTypeVector %u16 4\n"
           "%i_u64x3 = OpTypePointer Input %u64x3\n%i_u64 = OpTypePointer Input %u64\n"
           "%g_u16 = OpTypePointer CrossWorkgroup %u16\n%g_u32 = OpTypePointer CrossWorkgroup "
           "%u32\n"
           "%g_u64 = OpTypePointer CrossWorkgroup %u64\n%p_u32 = OpTypePointer Function %u32\n"
           "%l_u32 = OpTypePointer Workgroup %u32\n"
           "%kernel_type = OpTypeFunction %void %g_u16 %u32 %g_u64 %g_u32 %g_u32 %u32 %l_u32 %u32 "
           "%g_u32 %g_u32\n"
           "%callee_type = OpTypeFunction %u64 %u32 %u32 %u64 %u64 %g_u32 %g_u16 " +
           state_ + " " + state_ + " " + state_ +
           " %l_u32 %u32 %u32 %g_u32\n"
           "%global_id = OpVariable %i_u64x3 Input\n%local_index = OpVariable %i_u64 Input\n"
           "%group_id = OpVariable %i_u64x3 Input\n%group_count = OpVariable %i_u64x3 Input\n";
  }
  std::string constants() const {
    std::string text;
    for (Text constant : constants_) text += constant + "\n";
    for (const std::uint32_t size : {2u, 4u, 8u})
      if (constants_.contains("%u32_" + std::to_string(size) + " = OpConstant %u32 " +
                              std::to_string(size)))
        text += "%u32a" + std::to_string(size) + " = OpTypeArray %u32 %u32_" +
                std::to_string(size) + "\n%p_u32a" + std::to_string(size) +
                " = OpTypePointer Function %u32a" + std::to_string(size) + "\n";
    for (Text constant : composites_) text += constant + "\n";
    return text;
  }

  // ---- Functions -------------------------------------------------------------------------------

  const Function& here() const { return kernel_.functions[static_cast<std::size_t>(function_)]; }

  void write_function(int index) {
    function_ = index;
    const Function& function = kernel_.functions[static_cast<std::size_t>(index)];
    if (index == 0) {
      line("%kernel = OpFunction %void None %kernel_type");
      for (const char* parameter :
           {"g_u16 %traces", "u32 %room", "g_u64 %results", "g_u32 %lengths", "g_u32 %states",
            "u32 %salt", "l_u32 %f0_local", "u32 %group_items", "g_u32 %f0_visits",
            "g_u32 %f0_v4"}) {
        const std::string both = parameter;
        const std::size_t space = both.find(' ');
        line(both.substr(space + 1) + " = OpFunctionParameter %" + both.substr(0, space));
      }
    } else {
      line("%f" + std::to_string(index) + " = OpFunction %u64 None %callee_type");
      const std::string types[] = {"%u32", "%u32", "%u64", "%u64", "%g_u32"};
      for (int i = 0; i < Function::kParameters; ++i)
        line(value(i) + " = OpFunctionParameter " + types[i]);
      line(given("trace") + " = OpFunctionParameter %g_u16");
      for (const char* name : {"length", "varying", "uniform"})
        line(given(name) + " = OpFunctionParameter " + state_);
      line(given("local") + " = OpFunctionParameter %l_u32");
      line(given("mine") + " = OpFunctionParameter %u32");
      line(given("next") + " = OpFunctionParameter %u32");
      line(given("visits") + " = OpFunctionParameter %g_u32");
    }
    for (const int block : function.order) write_block(function, block);
    line("OpFunctionEnd");
  }

  /// What the entry point does first: the item's number, its keys and its state.
  void write_prologue() {
    const std::string local64 = make("OpLoad %u64 %local_index");
    line(given("mine") + " = OpUConvert %u32 " + local64);
    const std::string groups = make("OpLoad %u64x3 %group_id"),
                      counts = make("OpLoad %u64x3 %group_count");
    const std::string x = make("OpCompositeExtract %u64 " + groups + " 0");
    const std::string y = make("OpCompositeExtract %u64 " + groups + " 1");
    const std::string in_row = make("OpCompositeExtract %u64 " + counts + " 0");
    const std::string group64 =
        make("OpIAdd %u64 " + x + " " + make("OpIMul %u64 " + y + " " + in_row));
    const std::string group = make("OpUConvert %u32 " + group64);
    const std::string before = make("OpIMul %u32 " + group + " %group_items");
    line("%item = OpIAdd %u32 " + before + " " + given("mine"));
    if (kernel_.linear_ids) {  // the same number: such kernels are launched in one dimension
      const std::string global =
          make("OpCompositeExtract %u64 " + make("OpLoad %u64x3 %global_id") + " 0");
      line("%number = OpUConvert %u32 " + global);
    } else {
      line("%number = OpCopyObject %u32 %item");
    }
    const std::string behind = make("OpIAdd %u32 " + given("mine") + " " + u32(1));
    line(given("next") + " = OpUMod %u32 " + behind + " %group_items");
    const std::string shifted = make("OpShiftRightLogical %u32 %number " + u32(kernel_.item_shift));
    line(value(Function::kItemKey) + " = OpCopyObject %u32 " + hash("%salt", shifted, 0));
    const std::string whose = kernel_.key_per_launch ? u32(0) : group;
    line(value(Function::kGroupKey) + " = OpCopyObject %u32 " + hash("%salt", whose, 1));
    line(value(Function::kFirst) + " = OpUConvert %u64 " + value(Function::kItemKey));
    line(value(Function::kSecond) + " = OpUConvert %u64 %number");
    const std::string start = make("OpIMul %u32 %number %room");
    line(given("trace") + " = OpInBoundsPtrAccessChain %g_u16 %traces " + start);
    int place = 0;
    for (const char* name : {"length", "varying", "uniform"}) {
      if (kernel_.state_in_buffer) {
        const std::string thrice = make("OpIMul %u32 %number " + u32(3));
        line(given(name) + " = OpInBoundsPtrAccessChain %g_u32 %states " +
             make("OpIAdd %u32 " + thrice + " " + u32(static_cast<unsigned>(place++))));
      }
      line("OpStore " + given(name) + " " + u32(0));
    }
  }

  std::string hash(Text key, Text tick, std::uint32_t number) {
    std::string x = make("OpIMul %u32 " + tick + " " + u32(0x9E3779B1u));
    x = make("OpIAdd %u32 " + key + " " + x);
    x = make("OpIAdd %u32 " + x + " " + u32(number * 0x85EBCA77u));
    const auto mix = [&](unsigned shift) {
      return make("OpBitwiseXor %u32 " + x + " " +
                  make("OpShiftRightLogical %u32 " + x + " " + u32(shift)));
    };
    x = make("OpIMul %u32 " + mix(15) + " " + u32(0x2C1B3C6Du));
    x = make("OpIMul %u32 " + mix(12) + " " + u32(0x297A2D39u));
    return mix(15);
  }

  // ---- Private variables -----------------------------------------------------------------------

  std::string type_of(const Variable& variable) {
    if (variable.size == 1) return "u32";
    u32(variable.size);  // the type's length
    return "u32a" + std::to_string(variable.size);
  }
  std::string variable_name(std::size_t slot) const { return given("p" + std::to_string(slot)); }

  void declare_variables(const Function& function) {
    if (function_ == 0 && !kernel_.state_in_buffer)
      for (const char* name : {"length", "varying", "uniform"})
        line(given(name) + " = OpVariable %p_u32 Function");
    for (std::size_t slot = 0; slot < function.variables.size(); ++slot) {
      const Variable& variable = function.variables[slot];
      const std::string value = u32(variable.initial), type = type_of(variable);
      std::string initial = value;
      if (variable.size != 1 && variable.initializer) {
        initial = "%" + type + "_" + std::to_string(variable.initial);
        std::string text = initial + " = OpConstantComposite %" + type;
        for (std::uint32_t i = 0; i < variable.size; ++i) text += " " + value;
        composites_.insert(text);
      }
      line(variable_name(slot) + " = OpVariable %p_" + type + " Function" +
           (variable.initializer ? " " + initial : ""));
    }
  }

  void initialise_variables(const Function& function) {
    for (std::size_t slot = 0; slot < function.variables.size(); ++slot) {
      const Variable& variable = function.variables[slot];
      for (std::uint32_t i = 0; i < variable.size && !variable.initializer; ++i)
        line("OpStore " + element(slot, u32(i)) + " " + u32(variable.initial));
    }
  }

  std::string element(std::size_t slot, Text index) {
    if (here().variables[slot].size == 1) return variable_name(slot);
    return make("OpInBoundsAccessChain %p_u32 " + variable_name(slot) + " " + index);
  }

  // ---- Blocks ----------------------------------------------------------------------------------

  void write_block(const Function& function, int index) {
    const Block& block = function.blocks[static_cast<std::size_t>(index)];
    body_ += label(index) + " = OpLabel\n";
    for (const Phi& phi : block.phis) {
      std::string text = value(phi.result) + " = OpPhi %" + name_of(phi.type);
      for (std::size_t i = 0; i < phi.from.size(); ++i)
        text += " " + operand(phi.incoming[i]) + " " + label(phi.from[i]);
      line(text);
    }
    if (index == 0) declare_variables(function);
    if (index == 0 && function_ == 0) write_prologue();
    if (index == 0) initialise_variables(function);
    if (!block.silent) write_trace(block);
    for (const Operation& operation : block.operations) write_operation(operation, block);
    write_end(block);
  }

  void write_trace(const Block& block) {
    const std::string length = count_up("length");
    const std::string place =
        make("OpInBoundsPtrAccessChain %g_u16 " + given("trace") + " " + length);
    line("OpStore " + place + " " + constant(Type::kU16, block.number));
    const std::string before = count_up(block.uniform ? "uniform" : "varying");
    tick_ = make("OpIAdd %u32 " + before + " " + u32(1));
    hash_ =
        hash(value(block.uniform ? Function::kGroupKey : Function::kItemKey), tick_, block.number);
  }

  /// Adds one to a part of the state; gives what it was.
  std::string count_up(Text name) {
    const std::string before = make("OpLoad %u32 " + given(name));
    line("OpStore " + given(name) + " " + make("OpIAdd %u32 " + before + " " + u32(1)));
    return before;
  }

  void write_operation(const Operation& operation, const Block& block) {
    const bool is_bool = operation.type == Type::kBool;
    const std::string type = " %" + name_of(operation.type) + " ";
    const std::string begin = value(operation.result) + " = ";
    const auto binary = [&](Text opcode) {
      line(begin + opcode + type + operand(operation.a) + " " + operand(operation.b));
    };
    switch (operation.kind) {
      case Do::kAdd:
        return binary("OpIAdd");
      case Do::kMultiply:
        return binary("OpIMul");
      case Do::kXor:
        return binary(is_bool ? "OpLogicalNotEqual" : "OpBitwiseXor");
      case Do::kAnd:
        return binary("OpBitwiseAnd");
      case Do::kLess:
        return binary("OpULessThan");
      case Do::kHash:
        return line(begin + "OpCopyObject %u32 " + hash_);
      case Do::kSelect:
        return line(begin + "OpSelect" + type + operand(operation.a) + " " + operand(operation.b) +
                    " " + operand(operation.c));
      case Do::kConvert:
        return write_conversion(operation);
      case Do::kExchange:
        return write_exchange(begin, block);
      case Do::kLoad:
        return line(begin + "OpLoad %u32 " + element(operation.slot, operand(operation.a)));
      case Do::kStore:
        return line("OpStore " + element(operation.slot, operand(operation.a)) + " " +
                    operand(operation.b));
      case Do::kCount: {
        const std::string visits =
            make("OpInBoundsPtrAccessChain %g_u32 " + given("visits") + " " + u32(block.number));
        return line(begin + "OpAtomicIAdd %u32 " + visits + " " + u32(1) + " " + u32(0) + " " +
                    u32(1));
      }
      case Do::kCall:
        line(begin + "OpFunctionCall %u64 %f" + std::to_string(operation.function) + " " +
             value(0) + " " + value(1) + " " + operand(operation.a) + " " + operand(operation.b) +
             " " + value(Function::kTable) + " " + given("trace") + " " + given("length") + " " +
             given("varying") + " " + given("uniform") + " " + given("local") + " " +
             given("mine") + " " + given("next") + " " + given("visits"));
    }
  }

  void write_conversion(const Operation& operation) {
    const std::string type = name_of(operation.type), from = operand(operation.a);
    const std::string begin = value(operation.result) + " = ";
    const Type to = operation.type, of = operation.a.type;
    if (of == Type::kPointer)
      line(begin + "OpLoad %u32 " + from);
    else if (to == Type::kPointer)
      line(begin + "OpInBoundsPtrAccessChain %g_u32 " + value(Function::kTable) + " " + from);
    else if ((!is_number(to) && to != Type::kBool) || (!is_number(of) && of != Type::kBool))
      line(begin + "OpBitcast %" + type + " " + from);
    else if (to == Type::kBool)
      line(begin + "OpINotEqual %bool " + from + " " + constant(operation.a.type, 0));
    else if (operation.a.type == Type::kBool)
      line(begin + "OpSelect %" + type + " " + from + " " + constant(operation.type, 1) + " " +
           constant(operation.type, 0));
    else
      line(begin + "OpUConvert %" + type + " " + from);
  }

  void write_exchange(Text begin, const Block& block) {
    const std::string mine =
        make("OpInBoundsPtrAccessChain %l_u32 " + given("local") + " " + given("mine"));
    line("OpStore " + mine + " " + hash(value(Function::kItemKey), tick_, block.number));
    const std::string barrier = "OpControlBarrier " + u32(2) + " " + u32(2) + " " + u32(0x110);
    line(barrier);
    const std::string next =
        make("OpInBoundsPtrAccessChain %l_u32 " + given("local") + " " + given("next"));
    line(begin + "OpLoad %u32 " + next);
    line(barrier);
  }

  void write_end(const Block& block) {
    const bool merges = kernel_.merges && block.end != End::kReturn && block.merge != kNone;
    if (merges && block.loop_continue != kNone && block.end != End::kSwitch) {
      end_of(block,
             "OpLoopMerge " + label(block.merge) + " " + label(block.loop_continue) + " None");
    } else if (merges && block.loop_continue == kNone && block.end != End::kBranch) {
      end_of(block, "OpSelectionMerge " + label(block.merge) + " None");
    } else {
      end_of(block, "");
    }
  }

  void end_of(const Block& block, Text merge) {
    const auto put_merge = [&] {
      if (!merge.empty()) line(merge);
    };
    switch (block.end) {
      case End::kBranch:
        put_merge();
        return line("OpBranch " + label(block.targets[0]));
      case End::kChoose: {
        const std::string condition = condition_of(block);
        put_merge();
        return line("OpBranchConditional " + condition + " " + label(block.targets[0]) + " " +
                    label(block.targets[1]));
      }
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
    return make("OpUGreaterThanEqual %bool " + tick_ + " " + u32(most));
  }

  std::string condition_of(const Block& block) {
    const Counter& counter = block.counter;
    switch (block.source) {
      case Source::kAlwaysFirst:
        return make("OpULessThan %bool " + tick_ + " " + u32(0x40000000u));
      case Source::kCounter:
        return make((counter.not_equal ? "OpINotEqual %bool " : "OpULessThan %bool ") +
                    value(counter.value) + " " + operand(counter.limit));
      case Source::kRegister:
      case Source::kHash:
        break;
    }
    std::string raw = operand(block.decides);
    if (block.silent) return raw;
    if (block.source == Source::kHash)
      raw = make("OpINotEqual %bool " +
                 make("OpBitwiseAnd %u32 " + hash_ + " " + u32(1u << block.bit)) + " " + u32(0));
    return make("OpSelect %bool " + over(block) + " " + constant(Type::kBool, block.way_out == 0) +
                " " + raw);
  }

  void write_switch(const Block& block, Text merge) {
    const std::string type = name_of(block.selector);
    std::string choice = make("OpUMod %u32 " + hash_ + " " + u32(block.choices));
    choice = make("OpSelect %u32 " + over(block) + " " + u32(static_cast<unsigned>(block.way_out)) +
                  " " + choice);
    if (block.selector != Type::kU32) choice = make("OpUConvert %" + type + " " + choice);
    if (block.stride != 1)
      choice =
          make("OpIMul %" + type + " " + choice + " " + constant(block.selector, block.stride));
    if (block.base != 0)
      choice = make("OpIAdd %" + type + " " + choice + " " + constant(block.selector, block.base));
    if (!merge.empty()) line(merge);
    std::vector<std::string> cases;
    for (std::size_t i = 0; i + 1 < block.targets.size(); ++i)
      cases.push_back(" " + std::to_string(cut(block.selector, block.base + i * block.stride)) +
                      " " + label(block.targets[i]));
    std::string text = "OpSwitch " + choice + " " + label(block.targets.back());
    for (std::size_t i = 0; i < cases.size(); ++i)
      text += cases[block.base % 2 == 0 ? i : cases.size() - 1 - i];
    line(text);
  }

  void write_return(const Block& block) {
    if (function_ != 0) return line("OpReturnValue " + operand(block.result));
    line("OpStore " + make("OpInBoundsPtrAccessChain %g_u64 %results %number") + " " +
         operand(block.result));
    const std::string length = make("OpLoad %u32 " + given("length"));
    line("OpStore " + make("OpInBoundsPtrAccessChain %g_u32 %lengths %number") + " " + length);
    line("OpReturn");
  }

  const Kernel& kernel_;
  std::string state_;  ///< type of the pointers to the state
  std::string body_;
  std::set<std::string> constants_, composites_;  ///< composites stand behind their parts
  int function_ = 0;
  int temporaries_ = 0;
  std::string tick_, hash_;
};

}  // namespace

std::string text_of(const Kernel& kernel) { return Writer(kernel).write(); }

}  // namespace transpire::oracle
