// Builder: the state of lowering one kernel of a Module to LIR, and the services that the
// instruction handlers share. One handler a SPIR-V instruction; handlers stand in <class>.cpp
// and reach the Builder through a table (table.cpp). Nothing here outlives build().
//
// A SPIR-V value is flattened: its scalars in order, vectors, arrays and structs taken apart. Calls
// are expanded in place: each call has a Frame that says what the callee's ids mean this time.
//
// The first refusal sticks and building stops before the next instruction; until then handlers go
// on with harmless dummies, so they need no error paths of their own.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "base/rule.h"
#include "decoder/module.h"
#include "vm/build/build.h"
#include "vm/lir/lir.h"

namespace transpire::vm::builder {

using decoder::Id;
using decoder::Instruction;
using decoder::Type;
using lir::BlockId;
using lir::kNoBlock;
using lir::kNoValue;
using lir::ValueId;
using Values = std::span<const ValueId>;
using lir::ValueList;

class Builder;
class DebugInstructions;
using Handler = void (*)(Builder&, const Instruction&, Op);

/// One SPIR-V instruction: its handler, and the op that the handler is asked to emit.
struct Row {
  spv::Op opcode;
  Handler handler;
  Op op = Op::kConst;
};

// The rows of each class, by file. `find_row` gives null for instructions that are not supported.
std::span<const Row> arithmetic_rows();
std::span<const Row> atomic_rows();
std::span<const Row> bit_rows();
std::span<const Row> composite_rows();
std::span<const Row> control_flow_rows();
std::span<const Row> conversion_rows();
std::span<const Row> extended_rows();
std::span<const Row> group_rows();
std::span<const Row> memory_rows();
std::span<const Row> pointer_rows();
std::span<const Row> promise_rows();
std::span<const Row> relational_rows();
std::span<const Row> subgroup_rows();
const Row* find_row(spv::Op opcode);

/// Values of more scalars are held in memory: beyond it taking them apart costs more than copies.
inline constexpr std::size_t kMaxApart = 1024;

/// Values of more scalars are refused.
inline constexpr std::size_t kMaxComponents = 65536;

/// The integer kind of 8, 16, 32 or 64 bits.
Kind int_of_width(std::uint32_t bits);

/// A scalar or vector in memory, as one load or store moves it.
struct Leaf {
  std::uint64_t offset = 0;
  Kind kind = Kind::kI32;  ///< in memory: i32 for a pointer of Physical32
  std::uint32_t components = 1;
  std::uint32_t align_bytes = 1;  ///< natural; 1 inside a CPacked struct
  bool is_pointer = false;
  std::optional<lir::Space> space;  ///< of a pointer: where it leads
};

/// A type taken apart.
struct Layout {
  /// More than kMaxApart scalars: held in memory, see aggregate.cpp. The value is one i64.
  bool in_memory = false;
  std::uint64_t scalars = 0;
  std::vector<Kind> kinds;   ///< of each scalar, in order
  std::vector<Leaf> leaves;  ///< the same scalars grouped as memory holds them
};

/// The memory operands of an access.
struct MemoryOperands {
  bool is_volatile = false;
  std::uint32_t align_bytes = 0;  ///< of Aligned; 0 when not given
};

/// Computes a component of a built-in variable, an i64, out of others.
using ComputedBuiltin = ValueId (*)(Builder& b, std::uint64_t component);

/// A pointer into Input storage: to a built-in variable, a component of it, or its bytes under
/// another type. It is no address.
struct InputPointer {
  Op op = Op::kConst;  ///< the builtin's op, unless it is `computed`
  ComputedBuiltin computed = nullptr;
  std::uint32_t dimensions = 3;   ///< 1 for scalars
  Kind component = Kind::kI64;    ///< of the variable
  const Type* pointee = nullptr;  ///< what a load through the pointer gives
  std::int64_t offset = 0;        ///< bytes from the variable's start
  ValueId index = kNoValue;       ///< an i64: components to go on, besides
};

/// What an <id> means in a frame.
struct Bound {
  Values values;
  std::uint32_t input = 0;        ///< index + 1 of an InputPointer
  std::uint32_t align_limit = 0;  ///< of a pointer into a CPacked struct: 1; else 0
  Id cast_from = 0;  ///< of a pointer: the pointer of another type that it was cast from
};

/// A step of an access chain into an array or vector that may leave its type, for --check=bounds.
struct IndexStep {
  ValueId index;
  std::uint64_t count;            ///< elements there are
  const Type* element = nullptr;  ///< what the step leads to
};

/// An operand of a phi: the block that control comes from, and the value it brings.
struct Incoming {
  BlockId from;
  ValueId value;
};

/// A function being expanded.
struct Frame {
  const decoder::Function* function = nullptr;
  Frame* caller = nullptr;
  std::uint32_t called_from = 0;  ///< index into lir::Function::sources
  bool forwards_entry = false;    ///< the entry point, and it only calls another function
  std::unordered_map<Id, Bound> bound;
  std::vector<BlockId> start;  ///< by SPIR-V block index; kNoBlock when unreachable
  std::vector<BlockId> end;    ///< where its terminator stands; kNoBlock until processed
  struct PendingPhi {
    const Instruction* instruction;
    ValueList values;
    ValueId incoming = kNoValue;  ///< of a value in memory: the temporary that predecessors fill
  };
  std::vector<PendingPhi> phis;
  struct Exit {
    BlockId block;
    ValueList values;
  };
  std::vector<Exit> exits;  ///< returns; their blocks have no terminator yet
  /// Private variables that pointers may outlive: dead once the function has returned.
  std::vector<std::uint32_t> ending;
};

class Builder {
 public:
  Builder(const decoder::Module& module, const decoder::EntryPoint& entry,
          const LowerOptions& options);

  Result<lir::Function> run();

  // build.cpp: refusals, emission.
  void refuse(Rule rule, std::string message);
  void refuse(Diagnostic diagnostic);
  void malformed(std::string message) { refuse(Rule::kU0004, std::move(message)); }
  bool failed() const { return failure_.has_value(); }
  /// Refuses as malformed when the condition does not hold.
  bool expect(bool condition, const char* what);

  const decoder::Module& module() const { return module_; }
  const LowerOptions& options() const { return options_; }
  lir::Function& function() { return function_; }
  std::uint32_t subgroup_size() const { return function_.subgroup_size; }
  bool physical32() const { return module_.pointer_bytes() == 4; }
  Kind kind_of(ValueId value) const { return function_.values[value].kind; }

  ValueId constant(Kind kind, std::uint64_t bits) { return function_.constant(kind, bits); }
  /// The bits of a Const value.
  std::optional<std::uint64_t> constant_bits(ValueId value) const;
  /// Appends to the current block, its source being the current instruction.
  ValueId place(lir::Value value);
  /// An op of a regular shape: kinds follow from the operands. Computes under the float controls of
  /// the kernel.
  ValueId emit(Op op, std::initializer_list<ValueId> args);
  /// An op that takes any number of operands of one kind, and gives that kind.
  ValueId emit_list(Op op, ValueList args);
  /// imm is what the op takes, a Rounding where the result is a float: the kernel's own unless it
  /// is given.
  ValueId convert(Op op, Kind to, ValueId value, std::optional<std::uint64_t> imm = {});
  ValueId select(ValueId condition, ValueId on_true, ValueId on_false) {
    return emit(Op::kSelect, {condition, on_true, on_false});
  }
  // float_mode.cpp
  /// Of floats of this kind.
  const FloatControls& float_controls(Kind kind) const;
  /// Whether define() flushes denormals: for functions that choose one of their operands.
  void flush_results(bool flushes) { flushes_results_ = flushes && has_float_controls_; }
  /// Refuses an instruction that computes floats of this kind in the usual mode only.
  bool expect_usual_mode(Kind kind);

  /// An op of a regular shape on every component.
  ValueList each(Op op, Values a);
  ValueList each(Op op, Values a, Values b);
  ValueList each(Op op, Values a, Values b, Values c);
  /// (x0 * y0 + x1 * y1) + ..., every product and sum rounded. Neither may be empty.
  ValueId sum_of_products(Values left, Values right);
  static ValueList in_pairs(Values left, Values right);  ///< left[0], right[0], left[1], ...
  /// left[0]*right[0] + left[1]*right[1] + ...: OpDot. In the reference mode, one op.
  ValueId dot(Values left, Values right);
  /// The component that an integer value selects; when there is none, missing_dimension or 0.
  ValueId component_at(Values vector, ValueId index);
  /// Of the value of a built-in variable: what OpenCL C's work-item functions give for a dimension
  /// that does not exist, 1 for sizes and 0 for ids. Translators write those functions as
  /// extractions, whatever the dimension. Nothing for other vectors.
  std::optional<std::uint64_t> missing_dimension(Values vector) const;
  /// --check=ub: places the checks that an instruction's NoSignedWrap and NoUnsignedWrap ask for.
  /// `right` is empty of a negation.
  void check_wraps(const Instruction& i, Op op, Values left, Values right, Values results);

  // undefined.cpp: --check=ub.
  /// Places a check that reports `rule` where `condition` holds.
  void check_not(Rule rule, ValueId condition, std::string remark = {});
  /// That a float fits the integer kind; `value` is rounded to an integral value but for RTZ.
  void check_conversion(ValueId value, Kind to, bool to_signed);
  /// What the FPFastMathMode decoration of an instruction promises of its operands and result.
  void check_float_promises(const Instruction& i);
  /// The operands of the OpenCL.std function of that number for which it is undefined.
  void check_function(const Instruction& i, std::uint32_t number);

  // scopes.cpp
  /// Places checks of the scopes and semantics of an instruction that are no constants.
  void check_scopes(const Instruction& instruction);

  /// Says which function gave the result, for what is recorded of stores of it.
  void mark_results(const Instruction& i, std::uint16_t function);

  ValueId bitcast(ValueId value, Kind to);
  ValueList reinterpret(Values values, std::span<const Kind> kinds);
  /// An integer in another width: truncated, or zero- or sign-extended.
  ValueId resize(ValueId value, Kind to, bool sign_extend);
  std::uint32_t source();

  // values.cpp: what ids mean.
  Values value(Id id);
  ValueId scalar(Id id);
  Id operand_id(const Instruction& instruction, std::size_t index);
  Values operand(const Instruction& i, std::size_t index) { return value(operand_id(i, index)); }
  ValueId scalar_operand(const Instruction& i, std::size_t index) {
    return scalar(operand_id(i, index));
  }
  const Type* operand_type(const Instruction& i, std::size_t index);
  /// The value of a scalar integer constant.
  std::optional<std::uint64_t> constant_of(Id id) const;
  std::optional<std::int64_t> signed_constant_of(Id id) const;
  void define(const Instruction& instruction, ValueList values);
  void bind(Id id, Bound bound) { frame_->bound[id] = bound; }
  Bound* find_bound(Id id);
  Values keep(ValueList values);
  ValueList zeros(const Type& type);
  /// Null unless the id is a pointer to Input storage.
  const InputPointer* input(Id id);
  std::uint32_t add_input(InputPointer pointer);

  // types.cpp
  const Layout& layout(const Type& type);
  const Layout& result_layout(const Instruction& instruction);
  const Type& result_type(const Instruction& instruction);
  Kind scalar_kind(const Type& type);

  // memory.cpp
  ValueList load(const Type& type, ValueId pointer, lir::Space space, MemoryOperands operands,
                 std::uint32_t align_limit = 0);
  void store(const Type& type, ValueId pointer, Values values, lir::Space space,
             MemoryOperands operands, std::uint32_t align_limit = 0);
  /// One access of `components` scalars of a kind.
  ValueList load_leaf(lir::MemAccess access, ValueId pointer);
  void store_leaf(lir::MemAccess access, ValueId pointer, Values values);
  /// --check=sync: places a check that no asynchronous copy to or from there is pending.
  void check_copies(ValueId pointer, lir::Space space, std::uint64_t bytes, bool writes);
  void copy_memory(ValueId target, ValueId source, ValueId bytes, lir::MemAccess access);
  /// From constant memory to a private variable of the type.
  void copy_variable(const Type& type, ValueId target, ValueId source);
  lir::Space space_of(const Type& pointer);
  bool is_addressable(const Type& pointer) const;
  ValueId tagged(ValueId pointer, lir::Space declared);
  ValueId tagged_operand(const Instruction& i, std::size_t index);
  ValueId cast_pointer(const Instruction& i);
  /// Where a Generic pointer points when it is computed from a variable or a parameter.
  lir::Space known_space(ValueId pointer, lir::Space declared) const;
  const Type* pointee_before_casts(Id pointer);
  std::uint32_t no_write_parameter(ValueId pointer) const;

  // pointer.cpp
  /// base + extend(index) * scale + offset; the base itself when that is all.
  ValueId address(ValueId base, ValueId index, std::int64_t scale, std::int64_t offset);
  /// The value that an address is computed from.
  ValueId address_root(ValueId address) const;
  /// Lets `to` inherit what is known of `from` by NoWrite, and the indexes that led there.
  void derive(ValueId from, ValueId to);
  std::vector<IndexStep> index_steps(ValueId address) const;
  void set_index_steps(ValueId address, std::vector<IndexStep> steps);
  /// Places the checks of the indexes that led to an address, before an access there.
  void check_indexes(ValueId address);
  void check_index(ValueId index, std::uint64_t count, ValueId address);

  // aggregate.cpp: values that are held in memory.
  bool is_held(const Type& type);
  bool is_temporary(ValueId value) const;  ///< is such a value
  ValueId mark_held(ValueId address);
  void extract_held(const Instruction& i, const Type& type, ValueId address);
  void insert_held(const Instruction& i, const Type& type, Values object, ValueId composite);
  void construct_held(const Instruction& i, const Type& type);
  /// A phi's value, and where its predecessors put theirs.
  ValueId held_phi(const Type& type, ValueId* incoming);
  void copy_held(const Type& type, ValueId target, ValueId source, lir::Space target_space,
                 MemoryOperands operands, lir::Space source_space = lir::Space::kPrivate);

  // partial_store.cpp
  /// store_leaf(), but components that were only loaded from there are left alone.
  void store_changed(lir::MemAccess access, ValueId pointer, Values values);

  // variables.cpp
  ValueId module_variable(const decoder::Variable& variable);
  std::uint32_t add_private(std::string name, const Type& type, std::uint64_t align_bytes);
  ValueId private_address(std::uint32_t index);
  /// The private variable whose address the value is, if it is one.
  std::optional<std::uint32_t> private_of(ValueId address) const;
  // lifetime.cpp
  void mark_lifetime(Op op, std::uint32_t variable);
  void begin_lifetime(const Instruction& instruction);
  /// The constant bytes that an address within a program variable points at.
  std::optional<std::string> constant_string(ValueId address) const;
  std::optional<ValueList> load_constant(const lir::MemAccess& access, ValueId pointer);

  // builtin.cpp
  Bound builtin_variable(const decoder::Variable& variable);
  ValueList load_input(const InputPointer& pointer);
  /// An op of vm/ops/builtin.def.
  ValueId launch_id(Op op, std::uint64_t dimension = 0);
  void input_chain(const Instruction& instruction, InputPointer pointer, bool has_element);
  void input_cast(const Instruction& instruction, InputPointer pointer);

  // debug_info.cpp: notes for programs that keep values; nothing for others.
  void note_value(Id id, std::uint32_t word, Values values);
  void note_variable(const Instruction& instruction, std::uint32_t variable);
  void note_local(const Instruction& instruction);

  // function.cpp
  void call(const Instruction& instruction);
  Frame& frame() { return *frame_; }

  // control_flow.cpp and blocks in general.
  BlockId new_block();
  BlockId current_block() const { return block_; }
  void terminate(Op op, ValueId value, std::vector<BlockId> targets);
  void add_phi(ValueId value, std::vector<Incoming> incoming) {
    incoming_[value] = std::move(incoming);
  }
  ValueId new_phi(BlockId block, Kind kind);
  void dispatch(const Instruction& instruction);

 private:
  Result<lir::Function> build();
  void count_placed(std::uint64_t instructions);
  ValueId input_component(const InputPointer& pointer, std::uint64_t component);
  bool input_step(InputPointer& pointer, Id index, const Type& element);
  void check_module();
  void choose_float_controls();
  void obey_float_control(spv::ExecutionMode mode, std::size_t kind);
  ValueId emit_usual(Op op, std::initializer_list<ValueId> args, std::uint64_t imm = 0);
  ValueId emit_controlled(Op op, std::initializer_list<ValueId> args);
  ValueId emit_rounded(Op op, std::initializer_list<ValueId> args);
  ValueId rounded_remainder(ValueId a, ValueId b);
  ValueId rounded_difference(ValueId a, ValueId b);
  ValueId rounded_scale(ValueId x, ValueId n);
  ValueId rounded_fraction(ValueId x);
  ValueId convert_rounded(Kind to, ValueId value, Rounding rounding);
  ValueId flush_denorm(ValueId value);
  void choose_subgroup_size();
  void count(spv::Op opcode);
  void bind_parameters(Frame& frame);
  void bind_slots(Frame& frame, std::uint32_t index, Parameter parameter);
  void bind_value_parameter(Frame& frame, std::uint32_t index, Parameter parameter);
  void bind_pointer_parameter(Frame& frame, std::uint32_t index, Parameter parameter);
  void bind_by_value(Frame& frame, std::uint32_t index, Parameter parameter, const Type& type,
                     bool by_pointer);
  std::string parameter_name(const Frame& frame, std::uint32_t index) const;
  bool has_attribute(Id parameter, spv::FunctionParameterAttribute attribute) const;
  bool entry_attribute(const Frame& frame, std::uint32_t index,
                       spv::FunctionParameterAttribute attribute) const;
  void bind_arguments(const Instruction& call, Frame& callee);
  Bound copy_by_value(const Type& pointer, Bound argument);
  void expand(Frame& frame);
  void expand_blocks(Frame& frame);
  void expand_block(Frame& frame, std::uint32_t index);
  void resolve_phis(Frame& frame);
  ValueList join_exits(Frame& frame);
  const std::vector<std::uint32_t>& block_order(const decoder::Function& function);
  bool is_active(const decoder::Function& function) const;

  // lifetime.cpp
  /// What a function does with the pointers to a variable of its own, or with a parameter.
  struct VariableUse {
    bool is_kept = false;    ///< stored, returned, converted, ...: they may outlive the call
    bool has_start = false;  ///< an OpLifetimeStart names it
  };
  using VariableUses = std::unordered_map<Id, VariableUse>;
  VariableUses& variable_uses(const decoder::Function& function);
  void note_pointers(const Instruction& i, std::unordered_map<Id, Id>& root, VariableUses& uses);
  bool keeps_argument(const Instruction& call, std::size_t at);
  void end_lifetime(std::uint32_t variable);
  std::uint32_t depth() const;

  Values constant_value(const decoder::Constant& constant);
  void append_constant(const decoder::Constant& constant, ValueList& out, unsigned depth);
  Values operation_value(const decoder::Constant& constant);

  struct HeldPart {
    const Type* type;
    ValueId address;  ///< of the whole
    std::int64_t offset = 0;
    std::uint32_t align_limit = 0;
  };
  ValueId new_temporary(const Type& type);
  ValueId load_held(const Type& type, ValueId pointer, lir::Space space, MemoryOperands operands);
  ValueId held_zeros(const Type& type);
  ValueId held_constant(const decoder::Constant& constant);
  void store_constant(const decoder::Constant& constant, ValueId address, unsigned depth);
  std::uint64_t component_count(const Type& type) const;
  HeldPart held_component(const Type& outer, HeldPart part, std::uint32_t index);
  HeldPart held_part(const Type& type, ValueId address, const Instruction& i, std::size_t at);
  void store_part(const HeldPart& part, Values values);

  void append(const Type& type, std::uint64_t offset, bool packed, Layout& out);
  static void keep_in_memory(Layout& out);
  void append_elements(const Type& type, Layout& out);
  void append_leaf(const Type& type, Layout& out);

  std::uint32_t program_variable(const decoder::Variable& variable);
  std::uint32_t workgroup_variable(const decoder::Variable& variable);
  ValueId private_module_variable(const decoder::Variable& variable);
  /// Where the steps to an address began. Kept for each, so that long chains need not be walked.
  struct AddressRoot {
    ValueId base;              ///< no Address itself
    ValueId fixed;             ///< up to there only constants were added
    std::uint64_t offset = 0;  ///< from `fixed`
  };
  const AddressRoot* find_root(ValueId address) const;
  struct ConstantPlace {
    const ProgramVariable* variable = nullptr;
    std::uint64_t offset = 0;
  };
  std::optional<ConstantPlace> constant_place(ValueId address) const;
  ValueId new_argument(std::vector<ValueId>& arguments, lir::Space space);
  void fill_initial();

  ValueId reloaded_from(const lir::MemAccess& access, ValueId pointer, ValueId value,
                        std::uint64_t component) const;
  ValueId load_before_store(const lir::MemAccess& access, ValueId pointer) const;
  bool stands_since(ValueId load) const;
  void drop_needless_loads();

  void note_function(const Frame& frame);
  void finish_debug_info();

  void finish_blocks();
  void drop_unreachable();
  void link_blocks();
  void number_arguments();

  const decoder::Module& module_;
  const decoder::EntryPoint& entry_;
  const LowerOptions& options_;
  lir::Function function_;
  std::optional<Diagnostic> failure_;

  bool has_events_ = false;                      ///< the module has asynchronous copies
  std::array<FloatControls, 3> float_controls_;  ///< of half, float, double
  bool has_float_controls_ = false;              ///< some of them are not the usual ones
  bool flushes_results_ = false;                 ///< of the current instruction

  Frame* frame_ = nullptr;
  const Instruction* instruction_ = nullptr;
  std::uint32_t source_ = 0;  ///< of instruction_, 0 until it is needed
  BlockId block_ = 0;
  std::uint64_t placed_ = 0;      ///< against LowerOptions::max_instructions
  unsigned operation_depth_ = 0;  ///< of OpSpecConstantOp within OpSpecConstantOp

  std::deque<ValueList> kept_;  ///< what Values point into
  std::unordered_map<const Type*, Layout> layouts_;
  unsigned layout_depth_ = 0;
  std::unordered_map<Id, Values> constants_;
  std::unordered_map<Id, Bound> globals_;  ///< module-scope variables
  std::vector<InputPointer> inputs_;
  std::unordered_map<ValueId, std::vector<Incoming>> incoming_;
  std::unordered_map<Id, std::vector<std::uint32_t>> block_orders_;
  std::unordered_map<Id, VariableUses> variable_uses_;
  std::uint32_t use_depth_ = 0;

  std::unordered_set<ValueId> held_;  ///< addresses that are values in memory
  std::unordered_map<const Type*, ValueId> held_zeros_;
  std::unordered_map<ValueId, std::uint32_t> no_write_;  ///< pointer -> parameter index + 1
  std::unordered_map<ValueId, std::vector<IndexStep>> index_steps_;  ///< by address
  std::unordered_map<ValueId, AddressRoot> roots_;                   ///< of Address values
  std::vector<ValueId> reloads_;  ///< loads of vectors of which a part was stored back
  std::unordered_map<Id, std::uint32_t> program_index_;
  std::uint32_t filled_ = 0;  ///< program variables whose initial bytes are made
  bool filling_ = false;
  Checked private_bytes_;          ///< of the private variables so far
  std::vector<ValueId> prologue_;  ///< instructions that go before all others of block 0
  std::vector<ValueId> workgroup_arguments_, program_arguments_, private_arguments_;
  std::unordered_map<ValueId, std::uint32_t> private_of_, program_of_;
  std::unordered_map<ValueId, lir::Space> root_space_;  ///< of Argument values that are addresses
  std::unordered_set<Id> noted_functions_;
  std::shared_ptr<DebugInstructions> debug_instructions_;  ///< made when the first one is wanted
};

}  // namespace transpire::vm::builder
