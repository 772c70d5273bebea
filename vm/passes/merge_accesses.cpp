// merge_accesses: loads, and stores, of neighbouring bytes become one of several components,
//
//     x = Load p + i * 12; y = Load p + i * 12 + 4      =>      x = Load p + i * 12 (x2); y =
//     Result x [1]
//
// so that the engine finds and checks addresses once, and moves whole tuples. Each remains an
// access of its own where one goes wrong: MemAccess::parts.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "vm/lir/budget.h"
#include "vm/lir/use_lists.h"
#include "vm/passes/bits.h"
#include "vm/passes/passes.h"

namespace transpire::vm::lir {
namespace {

constexpr std::uint32_t kMaxComponents = 16;

// Long blocks do not compare each access with all before it.
constexpr std::size_t kMaxMembers = 64, kMaxGroups = 64;

// Offsets beyond are nonsense, and their sums might overflow.
constexpr std::int64_t kMaxOffset = std::int64_t{1} << 60;

std::int64_t component_bytes(const MemAccess& access) { return width_bits(access.kind) / 8; }

class Merging {
 public:
  explicit Merging(Function& function) : function_(function), uses_(function) {}

  void run() {
    for (const BlockId block : function_.order) {
      const std::vector<ValueId> instructions = function_.blocks[block].instructions;
      for (std::uint32_t at = 0; at < instructions.size(); ++at) visit(instructions[at], at);
      close_all();
      if (!moves_.empty()) rearrange(function_.blocks[block].instructions);
    }
  }

 private:
  struct Member {
    ValueId id;
    std::uint32_t at;  // place in the block
    std::int64_t begin, end;
  };
  // Loads, or stores, that differ in their constant offset only and may all happen at the first
  // one's place, or at the last one's.
  struct Group {
    bool stores = false;
    ValueId model = kNoValue;
    std::uint64_t reach = 0;  // stores: how far apart the lanes' addresses are; 0 is all the same
    std::vector<Member> members;
  };

  const MemAccess& access_of(ValueId id) const { return function_.mem[function_.values[id].imm]; }

  std::size_t address_args(const Value& value) const {
    return value.args.size() - (value.op == Op::kStore ? function_.mem[value.imm].components : 0);
  }

  void visit(ValueId id, std::uint32_t at) {
    function_.work();
    const Value& value = function_.values[id];
    const std::uint8_t flags = info(value.op).flags;
    const bool accesses = value.op == Op::kLoad || value.op == Op::kStore;
    if (accesses && access_of(id).is_volatile) return close_all();
    if (looks_at_operands(value.op)) return;
    switch (value.op) {
      case Op::kLoad:
        close_stores(access_of(id).space);
        if (mergeable(id)) add(id, at);
        return;
      case Op::kStore:
        close_sharing(id);
        if (mergeable(id)) add(id, at);
        return;
      case Op::kPrintf:
        // A store just before may have written what it reads.
        if (function_.printfs[value.imm].reads_memory()) close_all();
        return;
      default:
        if ((flags & (kEffect | kReadsMemory | kConvergent)) != 0) close_all();
    }
  }

  void close_all() {
    while (!groups_.empty()) close(0);
  }

  bool mergeable(ValueId id) const {
    const Value& value = function_.values[id];
    const MemAccess& access = access_of(id);
    if (access.is_volatile || access.kind == Kind::kBool || access.components >= kMaxComponents ||
        !access.noted.empty() || access.offset < -kMaxOffset || access.offset > kMaxOffset) {
      return false;
    }
    return value.op == Op::kLoad || reach(value).has_value();
  }

  // Minimum distance of different addresses of two lanes; 0 if all lanes have the same address.
  std::optional<std::uint64_t> reach(const Value& value) const {
    const MemAccess& access = function_.mem[value.imm];
    const Value& base = function_.values[value.args[0]];
    const std::int64_t base_stride = base.spread == Spread::kAffine ? base.stride : 0;
    if (!is_scalar(base)) return std::nullopt;
    if (address_args(value) == 1) return magnitude(base_stride);
    const Value& index = function_.values[value.args[1]];
    if (!is_scalar(index)) {
      if (base_stride != 0) return std::nullopt;
      return magnitude(access.scale);
    }
    const std::int64_t index_stride = index.spread == Spread::kAffine ? index.stride : 0;
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(index_stride, access.scale, &bytes) ||
        __builtin_add_overflow(bytes, base_stride, &bytes))
      return std::nullopt;
    return magnitude(bytes);
  }

  static bool is_scalar(const Value& value) {
    return value.op == Op::kConst || value.op == Op::kArgument || value.spread != Spread::kVarying;
  }

  bool alike(ValueId a, ValueId b) const {
    const Value &x = function_.values[a], &y = function_.values[b];
    const MemAccess &m = access_of(a), &n = access_of(b);
    const std::size_t args = address_args(x);
    return x.op == y.op && m.kind == n.kind && m.space == n.space && m.sharing == n.sharing &&
           x.spread == y.spread && args == address_args(y) && x.args[0] == y.args[0] &&
           (args == 1 || (x.args[1] == y.args[1] && x.extend == y.extend && m.scale == n.scale));
  }

  Member member(ValueId id, std::uint32_t at) const {
    const MemAccess& access = access_of(id);
    return {id, at, access.offset, access.offset + component_bytes(access) * access.components};
  }

  void add(ValueId id, std::uint32_t at) {
    const Member added = member(id, at);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Group& group = groups_[g];
      if (!alike(group.model, id)) continue;
      if (group.members.size() == kMaxMembers) {
        close(g);
        break;
      }
      group.members.push_back(added);
      return;
    }
    if (groups_.size() == kMaxGroups) close(0);
    const Value& value = function_.values[id];
    const bool is_store = value.op == Op::kStore;
    groups_.push_back({is_store, id, is_store ? *reach(value) : 0, {added}});
  }

  // Stores do not move behind a load that may read their bytes.
  void close_stores(Space space) {
    for (std::size_t g = groups_.size(); g-- > 0;)
      if (groups_[g].stores && function_.may_share(access_of(groups_[g].model).space, space))
        close(g);
  }

  // Closes groups that the store may write to, or that may write to its bytes.
  void close_sharing(ValueId store) {
    const Space space = access_of(store).space;
    for (std::size_t g = groups_.size(); g-- > 0;) {
      const Group& group = groups_[g];
      if (!function_.may_share(access_of(group.model).space, space)) continue;
      if (group.stores && mergeable(store) && alike(group.model, store) && apart(group, store))
        continue;
      close(g);
    }
  }

  // True if the store and the group's stores write different bytes, also in other lanes.
  bool apart(const Group& group, ValueId store) const {
    const Member added = member(store, 0);
    std::int64_t begin = added.begin, end = added.end;
    for (const Member& other : group.members) {
      if (added.begin < other.end && other.begin < added.end) return false;
      begin = std::min(begin, other.begin);
      end = std::max(end, other.end);
    }
    return group.reach == 0 || static_cast<std::uint64_t>(end - begin) <= group.reach;
  }

  void close(std::size_t g) {
    Group group = std::move(groups_[g]);
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(g));
    std::vector<Member>& members = group.members;
    std::stable_sort(members.begin(), members.end(),
                     [](const Member& a, const Member& b) { return a.begin < b.begin; });
    for (std::size_t from = 0; from < members.size();) {
      const std::size_t to = end_of_run(members, from);
      if (to - from > 1)
        merge({members.begin() + static_cast<std::ptrdiff_t>(from),
               members.begin() + static_cast<std::ptrdiff_t>(to)});
      from = to;
    }
  }

  // End of the run from `from` of members that follow one another, and whose alignment follows from
  // the first one's.
  std::size_t end_of_run(const std::vector<Member>& members, std::size_t from) const {
    const std::int64_t most = component_bytes(access_of(members[from].id)) * kMaxComponents;
    std::size_t to = from + 1;
    while (to < members.size() && members[to].begin == members[to - 1].end &&
           members[to].end - members[from].begin <= most &&
           (members[to].begin - members[from].begin) % align_of(members[to].id) == 0)
      ++to;
    return to;
  }

  std::int64_t align_of(ValueId id) const {
    return std::max<std::int64_t>(1, access_of(id).align_bytes);
  }

  // Members in the order of their addresses.
  void merge(const std::vector<Member>& members) {
    MemAccess merged = access_of(members[0].id);
    merged.components = 0;
    std::vector<std::pair<std::uint32_t, AccessPart>> parts;  // by place
    for (const Member& m : members) {
      const MemAccess& access = access_of(m.id);
      parts.push_back({m.at,
                       {merged.components, access.components, access.align_bytes,
                        access.no_write_parameter, function_.values[m.id].source}});
      merged.components += access.components;
      merged.align_bytes = std::max(merged.align_bytes, access.align_bytes);
      merged.no_write_parameter = std::max(merged.no_write_parameter, access.no_write_parameter);
    }
    std::sort(parts.begin(), parts.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [at, part] : parts) merged.parts.push_back(part);
    const bool loads = function_.values[members[0].id].op == Op::kLoad;
    const ValueId main = loads ? merge_loads(members, parts.front().first)
                               : merge_stores(members, parts.back().first);
    function_.values[main].imm = function_.mem.size();
    function_.mem.push_back(std::move(merged));
  }

  // The lowest one stays a load; the others become components of it where they stand.
  ValueId merge_loads(const std::vector<Member>& members, std::uint32_t first) {
    const ValueId main = members[0].id;
    std::uint32_t component = access_of(main).components;
    for (std::size_t i = 1; i < members.size(); ++i) {
      Value& load = function_.values[members[i].id];
      const std::uint32_t components = access_of(members[i].id).components;
      if (components > 1) {
        for (const ValueId user : uses_.users(members[i].id)) {
          Value& result = function_.values[user];
          if (result.op != Op::kResult || result.args.empty() || result.args[0] != members[i].id)
            continue;
          result.args[0] = main;
          result.imm += component;
        }
      }
      load.op = Op::kResult;
      load.args = {main};
      load.imm = component;
      load.extend = Extend::kNone;
      component += components;
    }
    if (first != members[0].at) moves_.push_back({first, members[0].at, main});
    return main;
  }

  // The last one takes the values of all, in the order of their addresses.
  ValueId merge_stores(const std::vector<Member>& members, std::uint32_t last) {
    std::vector<ValueId> args;
    for (const Member& m : members) {
      const Value& store = function_.values[m.id];
      const std::size_t places = address_args(store);
      if (args.empty())
        args.assign(store.args.begin(), store.args.begin() + static_cast<std::ptrdiff_t>(places));
      args.insert(args.end(), store.args.begin() + static_cast<std::ptrdiff_t>(places),
                  store.args.end());
    }
    ValueId main = kNoValue;
    for (const Member& m : members) {
      if (m.at == last) {
        main = m.id;
        continue;
      }
      moves_.push_back({kNowhere, m.at, m.id});
      function_.values[m.id].args.clear();
      function_.values[m.id].block = kNoBlock;
    }
    function_.values[main].args = args;
    return main;
  }

  static constexpr std::uint32_t kNowhere = 0xffffffffu;
  struct Move {
    std::uint32_t before, from;
    ValueId id;
  };

  void rearrange(std::vector<ValueId>& list) {
    std::vector<ValueId> inserted(list.size(), kNoValue);
    std::vector<bool> gone(list.size(), false);
    for (const Move& move : moves_) {
      gone[move.from] = true;
      if (move.before != kNowhere) inserted[move.before] = move.id;
    }
    std::vector<ValueId> result;
    for (std::size_t at = 0; at < list.size(); ++at) {
      if (inserted[at] != kNoValue) result.push_back(inserted[at]);
      if (!gone[at]) result.push_back(list[at]);
    }
    list = std::move(result);
    moves_.clear();
  }

  Function& function_;
  UseLists uses_;
  std::vector<Group> groups_;
  std::vector<Move> moves_;
};

}  // namespace

void merge_accesses(Function& function) { Merging(function).run(); }

}  // namespace transpire::vm::lir
