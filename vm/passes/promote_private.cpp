// promote_private: private variables whose address does not escape become SSA values, one for each
// piece that PrivateLayout cuts them into.
//
// Blocks are rewritten one by one: inside a block a load reads what was stored last. A read of a
// variable's value at the block's entry gets a placeholder; when all blocks are done, SsaUpdater
// finds the values that reach the placeholders and makes phis.
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/passes/passes.h"
#include "vm/passes/private_layout.h"
#include "vm/passes/replacements.h"
#include "vm/passes/ssa_updater.h"

namespace transpire::vm::lir {
namespace {

Kind int_kind(std::uint64_t bytes) {
  switch (bytes) {
    case 1:
      return Kind::kI8;
    case 2:
      return Kind::kI16;
    case 4:
      return Kind::kI32;
    default:
      return Kind::kI64;
  }
}

class Promotion {
 public:
  explicit Promotion(Function& function)
      : function_(function),
        layout_(function),
        current_(layout_.pieces().size(), kNoValue),
        current_in_(layout_.pieces().size(), kNoBlock),
        written_in_(layout_.pieces().size(), kNoBlock) {}

  void run() {
    const Dominators dominators(function_);
    for (const BlockId block : dominators.preorder()) rewrite_block(block);
    connect(dominators);
    replaced_.apply(function_);
  }

 private:
  struct At {
    std::uint32_t piece;
    BlockId block;
    ValueId value;
    bool operator<(const At& other) const {
      return std::pair(piece, block) < std::pair(other.piece, other.block);
    }
  };

  // ---- Blocks --------------------------------------------------------------------------------

  void rewrite_block(BlockId block) {
    block_ = block;
    written_.clear();
    const std::vector<ValueId> old = std::exchange(function_.blocks[block].instructions, {});
    for (const ValueId id : old) {
      function_.work();
      source_ = function_.values[id].source;
      if (rewrite(id)) {
        function_.values[id].args.clear();
        function_.values[id].block = kNoBlock;
      } else {
        function_.blocks[block].instructions.push_back(id);
      }
    }
    for (const std::uint32_t piece : written_)
      definitions_.push_back({piece, block, current_[piece]});
  }

  // Returns true if the instruction is replaced.
  bool rewrite(ValueId id) {
    switch (function_.values[id].op) {
      case Op::kLoad:
        return rewrite_load(id);
      case Op::kResult:
        return rewrite_result(id);
      case Op::kStore:
        return rewrite_store(id);
      case Op::kCopyMemory:
        return rewrite_copy(id);
      case Op::kUndefinePrivate:
        return rewrite_undefine(function_.values[id]);
      case Op::kLifetimeStart:
      case Op::kLifetimeStop:
        return layout_.promotable(narrow<std::uint32_t>(function_.values[id].imm));
      default:
        return false;
    }
  }

  static PrivatePlace component(const PrivatePlace& place, std::uint32_t index, Kind kind) {
    return {place.variable, place.offset + std::int64_t{index} * memory_bytes(kind)};
  }

  bool rewrite_load(ValueId id) {
    const auto place = layout_.access_place(function_.values[id]);
    if (!place) return false;
    const MemAccess access = function_.mem[function_.values[id].imm];
    std::vector<ValueId> values;
    for (std::uint32_t i = 0; i < access.components; ++i) {
      values.push_back(read(component(*place, i, access.kind), access.kind));
    }
    replaced_.add(id, values[0]);
    if (access.components > 1) loaded_[id] = std::move(values);
    return true;
  }

  bool rewrite_result(ValueId id) {
    const auto load = loaded_.find(function_.values[id].args[0]);
    if (load == loaded_.end()) return false;
    replaced_.add(id, load->second[function_.values[id].imm]);
    return true;
  }

  bool rewrite_store(ValueId id) {
    const auto place = layout_.access_place(function_.values[id]);
    if (!place) return false;
    const MemAccess access = function_.mem[function_.values[id].imm];
    const ValueList args = function_.values[id].args;
    for (std::uint32_t i = 0; i < access.components; ++i) {
      write(component(*place, i, access.kind), access.kind,
            args[args.size() - access.components + i]);
    }
    return true;
  }

  bool rewrite_copy(ValueId id) {
    const Value copy = function_.values[id];
    const auto to = layout_.address_place(copy.args[0]);
    const auto from = layout_.address_place(copy.args[1]);
    if (!to && !from) return false;
    const std::uint64_t bytes = function_.values[copy.args[2]].imm;
    // Both ranges are cut alike. All pieces are read before any is written.
    const PieceRange parts = layout_.range(to ? *to : *from, bytes);
    const PieceRange sources = from ? layout_.range(*from, bytes) : parts;
    const std::uint64_t begin = parts.first < parts.last ? piece(parts.first).offset : 0;
    std::vector<ValueId> values;
    for (std::uint32_t i = 0; i < parts.last - parts.first; ++i) {
      const PrivatePiece part = piece(parts.first + i);
      values.push_back(
          from ? converted(read_piece(sources.first + i), piece(sources.first + i).kind, part.kind)
               : load_memory(copy, part.offset - begin, part.kind));
    }
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      const PrivatePiece part = piece(parts.first + i);
      if (to) {
        write_piece(parts.first + i, values[i]);
      } else {
        store_memory(copy, part.offset - begin, part.kind, values[i]);
      }
    }
    return true;
  }

  bool rewrite_undefine(const Value& undefine) {
    const auto variable = narrow<std::uint32_t>(undefine.imm);
    const auto origin = static_cast<std::uint64_t>(undefine.imm2);
    if (!layout_.promotable(variable)) return false;
    const PieceRange all = layout_.pieces_of(variable);
    for (std::uint32_t i = all.first; i < all.last; ++i) {
      Value undefined = make(Op::kUndefined, piece(i).kind, {});
      undefined.imm = origin;
      write_piece(i, place(std::move(undefined)));
    }
    return true;
  }

  // One part of a copy whose other side stays in memory.
  std::uint64_t part_access(const Value& copy, std::uint64_t offset, Kind kind) {
    MemAccess access = function_.mem[copy.imm];
    access.kind = kind;
    access.components = 1;
    const std::uint64_t align = std::max(access.align_bytes, 1u) | offset;
    access.align_bytes = narrow<std::uint32_t>(align & (~align + 1));
    access.scale = 1;
    access.offset = static_cast<std::int64_t>(offset);
    function_.mem.push_back(access);
    return function_.mem.size() - 1;
  }

  ValueId load_memory(const Value& copy, std::uint64_t offset, Kind kind) {
    Value load = make(Op::kLoad, kind, {copy.args[1]});
    load.imm = part_access(copy, offset, kind);
    function_.mem[load.imm].space = function_.mem[load.imm].source_space;
    function_.mem[load.imm].no_write_parameter = 0;
    function_.mem[load.imm].is_robust = function_.mem[load.imm].is_source_robust;
    return place(std::move(load));
  }

  void store_memory(const Value& copy, std::uint64_t offset, Kind kind, ValueId value) {
    Value store = make(Op::kStore, Kind::kVoid, {copy.args[0], value});
    store.imm = part_access(copy, offset, kind);
    place(std::move(store));
  }

  // ---- Pieces --------------------------------------------------------------------------------

  const PrivatePiece& piece(std::uint32_t index) const { return layout_.pieces()[index]; }

  ValueId read_piece(std::uint32_t index) {
    if (current_in_[index] != block_) {
      Value placeholder = make(Op::kPhi, piece(index).kind, {});  // in no block
      placeholder.block = kNoBlock;
      current_[index] = function_.add(std::move(placeholder));
      current_in_[index] = block_;
      needs_.push_back({index, block_, current_[index]});
    }
    return current_[index];
  }

  void write_piece(std::uint32_t index, ValueId value) {
    current_[index] = value;
    current_in_[index] = block_;
    if (written_in_[index] == block_) return;
    written_in_[index] = block_;
    written_.push_back(index);
  }

  // A scalar of one piece, or of several: the first one holds the low bits.
  ValueId read(const PrivatePlace& place, Kind kind) {
    const PieceRange parts = layout_.range(place, memory_bytes(kind));
    if (parts.last - parts.first == 1) {
      return converted(read_piece(parts.first), piece(parts.first).kind, kind);
    }
    const Kind wide = int_kind(memory_bytes(kind));
    ValueId whole = kNoValue;
    for (std::uint32_t i = parts.first; i < parts.last; ++i) {
      const PrivatePiece part = piece(i);
      const Kind narrow = int_kind(part.bytes);
      Value extend = make(Op::kZeroExtend, wide, {converted(read_piece(i), part.kind, narrow)});
      extend.from = narrow;
      ValueId bits = this->place(std::move(extend));
      if (whole == kNoValue) {
        whole = bits;
        continue;
      }
      const std::uint64_t shift = (part.offset - piece(parts.first).offset) * 8;
      bits =
          this->place(make(Op::kShiftLeftLogical, wide, {bits, function_.constant(wide, shift)}));
      whole = this->place(make(Op::kBitwiseOr, wide, {whole, bits}));
    }
    return converted(whole, wide, kind);
  }

  void write(const PrivatePlace& place, Kind kind, ValueId value) {
    const PieceRange parts = layout_.range(place, memory_bytes(kind));
    if (parts.last - parts.first == 1) {
      return write_piece(parts.first, converted(value, kind, piece(parts.first).kind));
    }
    const Kind wide = int_kind(memory_bytes(kind));
    const ValueId whole = converted(value, kind, wide);
    for (std::uint32_t i = parts.first; i < parts.last; ++i) {
      const PrivatePiece part = piece(i);
      const std::uint64_t shift = (part.offset - piece(parts.first).offset) * 8;
      ValueId bits = whole;
      if (shift != 0) {
        bits = this->place(
            make(Op::kShiftRightLogical, wide, {bits, function_.constant(wide, shift)}));
      }
      const Kind narrow = int_kind(part.bytes);
      Value truncate = make(Op::kTruncate, narrow, {bits});
      truncate.from = wide;
      bits = this->place(std::move(truncate));
      write_piece(i, converted(bits, narrow, part.kind));
    }
  }

  // Reinterprets the bits as another kind.
  ValueId converted(ValueId value, Kind from, Kind to) {
    if (from == to) return value;
    if (from == Kind::kBool) {
      const ValueId one = function_.constant(to, 1);
      return place(make(Op::kSelect, to, {value, one, function_.constant(to, 0)}));
    }
    Value change = make(Op::kBitcast, to, {value});
    if (to == Kind::kBool) {
      change.op = Op::kINotEqual;
      change.args.push_back(function_.constant(from, 0));
    }
    change.from = from;
    return place(std::move(change));
  }

  Value make(Op op, Kind kind, ValueList args) const {
    Value value;
    value.op = op;
    value.kind = value.from = kind;
    value.source = source_;
    value.args = std::move(args);
    return value;
  }

  ValueId place(Value value) {
    value.block = block_;
    const ValueId id = function_.add(std::move(value));
    function_.blocks[block_].instructions.push_back(id);
    return id;
  }

  // ---- Between blocks ------------------------------------------------------------------------

  void connect(const Dominators& dominators) {
    std::sort(needs_.begin(), needs_.end());
    std::sort(definitions_.begin(), definitions_.end());
    SsaUpdater updater(function_, dominators);
    auto definition = definitions_.begin();
    for (auto need = needs_.begin(); need != needs_.end();) {
      const std::uint32_t index = need->piece;
      const auto end =
          std::find_if(need, needs_.end(), [&](const At& at) { return at.piece != index; });
      const std::uint32_t variable = piece(index).variable;
      updater.start(piece(index).kind, function_.private_variables[variable].source,
                    initial(index));
      while (definition != definitions_.end() && definition->piece < index) ++definition;
      for (; definition != definitions_.end() && definition->piece == index; ++definition) {
        updater.define(definition->block, definition->value);
      }
      for (auto at = need; at != end; ++at) updater.need_at_entry(at->block);
      updater.place();
      for (auto at = need; at != end; ++at) replaced_.add(at->value, updater.at_entry(at->block));
      need = end;
    }
    auto& first = function_.blocks[0].instructions;
    first.insert(first.begin(), initial_loads_.begin(), initial_loads_.end());
  }

  // The initial value of a variable: zero, poison, or the launch's bytes for a ByVal parameter.
  ValueId initial(std::uint32_t index) {
    const std::uint32_t variable = piece(index).variable;
    if (function_.private_variables[variable].is_poisoned)
      return function_.constant(piece(index).kind, poison_bits(piece(index).kind));
    const auto filled = [&](const Parameter& parameter) {
      return parameter.kind == Parameter::Kind::kByValue && parameter.private_variable == variable;
    };
    if (std::none_of(function_.parameters.begin(), function_.parameters.end(), filled))
      return kNoValue;
    MemAccess access;
    access.kind = piece(index).kind;
    access.space = Space::kPrivate;
    access.offset = static_cast<std::int64_t>(piece(index).offset);
    function_.mem.push_back(access);
    source_ = function_.private_variables[variable].source;
    Value load = make(Op::kLoad, piece(index).kind, {address_of(variable)});
    load.imm = function_.mem.size() - 1;
    load.block = 0;
    initial_loads_.push_back(function_.add(std::move(load)));
    return initial_loads_.back();
  }

  ValueId address_of(std::uint32_t variable) {
    if (addresses_.empty()) {
      for (ValueId id = 0; id < function_.values.size(); ++id) {
        if (function_.values[id].op == Op::kArgument) addresses_[function_.values[id].imm] = id;
      }
    }
    return addresses_.at(function_.private_slot(variable));
  }

  Function& function_;
  PrivateLayout layout_;
  BlockId block_ = kNoBlock;
  std::uint32_t source_ = 0;
  // By piece: its value as far as the block has come, and the blocks for which that holds.
  std::vector<ValueId> current_;
  std::vector<BlockId> current_in_, written_in_;
  std::vector<std::uint32_t> written_;
  std::vector<At> needs_, definitions_;
  std::unordered_map<ValueId, std::vector<ValueId>> loaded_;  // components of replaced loads
  std::unordered_map<std::uint64_t, ValueId> addresses_;      // arguments by slot
  std::vector<ValueId> initial_loads_;
  Replacements replaced_;
};

}  // namespace

void promote_private(Function& function) {
  if (function.private_variables.empty()) return;
  remove_unreachable_blocks(function);
  Promotion(function).run();
}

}  // namespace transpire::vm::lir
