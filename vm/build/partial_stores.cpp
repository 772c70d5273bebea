#include "vm/build/partial_stores.h"

#include <algorithm>

#include "base/narrow.h"

namespace transpire::vm::builder {
namespace {

/// Maximum number of values between the load and the store: an expression seldom has more.
constexpr std::size_t kMaxBetween = 64;

bool is_check(Op op) { return looks_at_operands(op) || op == Op::kCheckCopies || op == Op::kCount; }

bool is_same_place(const lir::MemAccess& load, const lir::MemAccess& store) {
  return load.kind == store.kind && load.components == store.components &&
         load.offset == store.offset && !load.is_volatile;
}

}  // namespace

void PartialStores::store(const lir::MemAccess& access, ValueId pointer, Values values) {
  const bool may_be_part = values.size() > 1 && !access.is_volatile && !access.is_robust &&
                           pointers_.known_space(pointer, access.space) != lir::Space::kPrivate;
  if (!may_be_part) return accesses_.store(access, pointer, values);
  ValueId load = kNoValue;
  std::vector<bool> changed(values.size(), true);
  for (std::size_t c = 0; c < values.size(); ++c) {
    const ValueId from = reloaded_from(access, pointer, values[c], c);
    if (from == kNoValue || (load != kNoValue && from != load)) continue;
    load = from;
    changed[c] = false;
  }
  if (load == kNoValue)
    if (const ValueId unused = load_before(access, pointer); unused != kNoValue)
      reloads_.push_back(unused);  // dropped when nothing uses it
  const bool some = std::find(changed.begin(), changed.end(), true) != changed.end();
  if (load == kNoValue || !some || !stands_since(load))
    return accesses_.store(access, pointer, values);
  reloads_.push_back(load);
  store_runs(access, pointer, values, changed);
}

/// Neighbours that changed are one access.
void PartialStores::store_runs(const lir::MemAccess& access, ValueId pointer, Values values,
                               const std::vector<bool>& changed) {
  for (std::size_t first = 0; first < values.size(); ++first) {
    if (!changed[first]) continue;
    std::size_t end = first;
    while (end < values.size() && changed[end]) ++end;
    lir::MemAccess part = access;
    const std::uint64_t size = access.kind == Kind::kBool ? 1 : lane_bytes(access.kind);
    const std::uint64_t skipped = first * size;
    const std::uint64_t known = access.align_bytes | skipped;
    part.align_bytes = narrow<std::uint32_t>(known & (~known + 1));
    part.offset += static_cast<std::int64_t>(skipped);
    part.components = narrow<std::uint32_t>(end - first);
    if (!access.stored.empty())
      part.stored.assign(access.stored.begin() + static_cast<std::ptrdiff_t>(first),
                         access.stored.begin() + static_cast<std::ptrdiff_t>(end));
    accesses_.store(part, pointer, values.subspan(first, end - first));
    first = end;
  }
}

/// The load that `value` is component `component` of, when it is of the same access; else kNoValue.
ValueId PartialStores::reloaded_from(const lir::MemAccess& access, ValueId pointer, ValueId value,
                                     std::uint64_t component) const {
  const lir::Value& v = function_.values[value];
  const bool is_component = v.op == Op::kResult && v.imm == component;
  const ValueId load = is_component ? v.args[0] : value;
  const lir::Value& l = function_.values[load];
  if (l.op != Op::kLoad || (component == 0) == is_component || l.args != ValueList{pointer})
    return kNoValue;
  return is_same_place(function_.mem[l.imm], access) ? load : kNoValue;
}

/// The load from there just before a store of the whole vector, which clang writes even where all
/// components are assigned; else kNoValue.
ValueId PartialStores::load_before(const lir::MemAccess& access, ValueId pointer) const {
  const std::vector<ValueId>& placed = function_.blocks[writer_.current_block()].instructions;
  const std::size_t window = std::min(placed.size(), kMaxBetween);
  for (std::size_t i = 1; i <= window; ++i) {
    const ValueId id = placed[placed.size() - i];
    const lir::Value& value = function_.values[id];
    if (value.op == Op::kLoad && value.args == ValueList{pointer} &&
        is_same_place(function_.mem[value.imm], access))
      return id;
    if ((info(value.op).flags & kEffect) != 0 && !is_check(value.op)) break;
  }
  return kNoValue;
}

/// True if nothing had an effect since the load, which is in this block.
bool PartialStores::stands_since(ValueId load) const {
  const std::vector<ValueId>& placed = function_.blocks[writer_.current_block()].instructions;
  const std::size_t window = std::min(placed.size(), kMaxBetween);
  for (std::size_t i = 1; i <= window; ++i) {
    const ValueId id = placed[placed.size() - i];
    if (id == load) return true;
    const Op op = function_.values[id].op;
    if ((info(op).flags & kEffect) != 0 && !is_check(op)) return false;
  }
  return false;
}

void PartialStores::drop_needless_loads() {
  if (reloads_.empty()) return;
  // A component stands for its load.
  const auto load_of = [this](ValueId id) {
    const lir::Value& value = function_.values[id];
    return value.op == Op::kResult && !value.args.empty() ? value.args[0] : id;
  };
  std::vector<bool> needless(function_.values.size());
  for (const ValueId load : reloads_) needless[load] = true;
  for (const lir::Value& value : function_.values)
    if (value.op != Op::kResult)
      for (const ValueId arg : value.args) needless[load_of(arg)] = false;
  for (lir::Block& block : function_.blocks)
    std::erase_if(block.instructions, [&](ValueId id) { return needless[load_of(id)]; });
  for (ValueId id = 0; id < function_.values.size(); ++id) {
    if (!needless[load_of(id)]) continue;
    function_.values[id].block = kNoBlock;
    if (function_.values[id].op != Op::kResult) function_.values[id].args.clear();
  }
  for (lir::Value& value : function_.values)
    if (value.op == Op::kResult && value.block == kNoBlock) value.args.clear();
}

}  // namespace transpire::vm::builder
