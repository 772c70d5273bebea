#include "tests/fuzz/hostile_modules.h"

#include <string>

#include "tests/fuzz/module_words.h"

namespace transpire::fuzz {
namespace {

using Id = ModuleWords::Id;

struct Kernel : ModuleWords {
  Kernel() { number = int_type(64); }

  /// The kernel up to its first block's first instruction.
  void begin() {
    begin_kernel();
    label(id());
  }
  Words end() {
    emit(spv::Op::OpReturn, {});
    end_function();
    return finish();
  }
  Id add(Id a, Id b) { return value(spv::Op::OpIAdd, number, {a, b}); }
  Id constant_of(std::uint64_t bits) { return constant(number, bits); }
  Id less(Id a, Id b) { return value(spv::Op::OpULessThan, bool_type(), {a, b}); }
  void branch(Id target) { emit(spv::Op::OpBranch, {target}); }
  void branch(Id condition, Id on_true, Id on_false) {
    emit(spv::Op::OpBranchConditional, {condition, on_true, on_false});
  }

  Id number = 0;
};

/// The head of a loop: what each phi is at first is known, what it becomes is not.
struct Rotation {
  Id entry = 0, header = 0, latch = 0, exit = 0;
  std::vector<Id> phis;
};

Rotation rotation(Kernel& k, Id entry, Id type, const std::vector<Id>& first) {
  Rotation r{entry, k.id(), k.id(), k.id(), {}};
  for (std::size_t i = 0; i < first.size(); ++i) r.phis.push_back(k.id());
  k.branch(r.header);
  k.label(r.header);
  for (std::size_t i = 0; i < first.size(); ++i)
    k.emit(spv::Op::OpPhi,
           {type, r.phis[i], first[i], entry, r.phis[(i + 1) % first.size()], r.latch});
  return r;
}

void close(Kernel& k, const Rotation& r) {
  const Id count = k.load(1);
  k.branch(k.less(count, k.lane()), r.latch, r.exit);
  k.label(r.latch);
  k.branch(r.header);
  k.label(r.exit);
}

Words tree(std::uint32_t depth, bool branches) {
  Kernel k;
  const Id type = k.function_type(k.void_type(), {});
  const Id condition = k.declare(spv::Op::OpConstantTrue, k.bool_type(), {});
  std::vector<Id> functions;
  for (std::uint32_t i = 0; i <= depth; ++i) {
    functions.push_back(k.begin_function(k.void_type(), type));
    k.label(k.id());
    const Id left = k.id(), right = k.id(), join = k.id();
    const auto call = [&] {
      if (i > 0) k.value(spv::Op::OpFunctionCall, k.void_type(), {functions[i - 1]});
    };
    if (branches) {
      k.branch(condition, left, right);
      k.label(left);
      call();
      k.branch(join);
      k.label(right);
      call();
      k.branch(join);
      k.label(join);
      k.value(spv::Op::OpPhi, k.number,
              {k.constant_of(2 * i), left, k.constant_of(2 * i + 1), right});
    } else {
      call();
      call();
    }
    k.emit(spv::Op::OpReturn, {});
    k.end_function();
  }
  k.begin();
  k.value(spv::Op::OpFunctionCall, k.void_type(), {functions.back()});
  return k.end();
}

}  // namespace

Words call_tree(std::uint32_t n) { return tree(n, false); }
Words branching_call_tree(std::uint32_t n) { return tree(n, true); }

Words calls(std::uint32_t n) {
  constexpr std::uint32_t kDepth = 100;  // as deep as real programs, and within the limit
  Kernel k;
  const Id type = k.function_type(k.number, {k.number});
  std::vector<Id> roots;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Id function = k.begin_function(k.number, type);
    Id value = k.id();
    k.emit(spv::Op::OpFunctionParameter, {k.number, value});
    k.label(k.id());
    value = k.add(value, k.constant_of(i));
    if (i % kDepth != 0) value = k.value(spv::Op::OpFunctionCall, k.number, {roots.back(), value});
    if (i % kDepth != 0) roots.pop_back();
    k.emit(spv::Op::OpReturnValue, {value});
    k.end_function();
    roots.push_back(function);
  }
  k.begin();
  Id value = k.load();
  for (const Id root : roots) value = k.value(spv::Op::OpFunctionCall, k.number, {root, value});
  k.store(value);
  return k.end();
}

Words rotating_phis(std::uint32_t n) {
  Kernel k;
  k.begin_kernel();
  const Id entry = k.id();
  k.label(entry);
  std::vector<Id> first;
  for (std::uint32_t i = 0; i < n; ++i) first.push_back(k.load(i));
  const Rotation r = rotation(k, entry, k.number, first);
  close(k, r);
  for (std::uint32_t i = 0; i < n; ++i) k.store(r.phis[i], i);
  return k.end();
}

Words rotating_arrays(std::uint32_t n, std::uint64_t components) {
  Kernel k;
  const Id type = k.array(k.number, components);
  std::vector<Id> first(n, k.declare(spv::Op::OpConstantNull, type, {}));
  k.begin_kernel();
  const Id entry = k.id();
  k.label(entry);
  const Rotation r = rotation(k, entry, type, first);
  close(k, r);
  k.store(k.value(spv::Op::OpCompositeExtract, k.number, {r.phis[0], 0}));
  return k.end();
}

Words aggregates(std::uint32_t n) {
  constexpr std::uint64_t kComponents = 4096;
  Kernel k;
  const Id type = k.array(k.number, kComponents);
  k.begin();
  const Id from = k.variable(type), to = k.variable(type);
  for (std::uint32_t i = 0; i < n; ++i)
    k.emit(spv::Op::OpStore, {to, k.value(spv::Op::OpLoad, type, {from})});
  return k.end();
}

Words blocks(std::uint32_t n) {
  Kernel k;
  k.begin_kernel();
  Id before = k.id();
  k.label(before);
  const Id lane = k.lane();
  Id value = k.load();
  for (std::uint32_t i = 0; i < n; ++i) {
    const Id then = k.id(), join = k.id();
    k.branch(k.less(lane, k.load(i)), then, join);
    k.label(then);
    k.store(value, i);
    const Id other = k.add(value, lane);
    k.branch(join);
    k.label(join);
    value = k.value(spv::Op::OpPhi, k.number, {value, before, other, then});
    before = join;
  }
  k.store(value);
  return k.end();
}

Words nested_loops(std::uint32_t n) {
  Kernel k;
  k.begin();
  const Id lane = k.lane();
  std::vector<Id> headers, exits;
  for (std::uint32_t i = 0; i < n; ++i) {
    headers.push_back(k.id());
    exits.push_back(k.id());
    const Id body = k.id();
    k.branch(headers.back());
    k.label(headers.back());
    k.branch(k.less(k.load(i), lane), body, exits.back());
    k.label(body);
  }
  k.store(lane);
  for (std::uint32_t i = n; i-- > 0;) {
    k.branch(headers[i]);
    k.label(exits[i]);
  }
  return k.end();
}

Words loops(std::uint32_t n) {
  Kernel k;
  const Id pointer = k.pointer(spv::StorageClass::CrossWorkgroup, k.number);
  const Id type = k.function_type(k.void_type(), {pointer, k.number});
  const Id one = k.constant_of(1), limit = k.constant_of(100);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Id out = k.id(), start = k.id(), entry = k.id(), loop = k.id(), exit = k.id();
    const Id phi = k.id(), last = k.id();
    k.begin_function(k.void_type(), type);
    k.emit(spv::Op::OpFunctionParameter, {pointer, out});
    k.emit(spv::Op::OpFunctionParameter, {k.number, start});
    k.label(entry);
    k.branch(loop);
    k.label(loop);
    k.emit(spv::Op::OpPhi, {k.number, phi, start, entry, last, loop});
    Id sum = phi;
    for (int additions = 0; additions < 39; ++additions) sum = k.add(sum, one);
    k.emit(spv::Op::OpIAdd, {k.number, last, sum, one});
    k.branch(k.less(last, limit), loop, exit);
    k.label(exit);
    k.emit(spv::Op::OpStore, {out, last});
    k.emit(spv::Op::OpReturn, {});
    k.end_function();
  }
  k.begin();
  return k.end();
}

Words irreducible(std::uint32_t n) {
  Kernel k;
  k.begin();
  const Id lane = k.lane();
  std::vector<Id> nodes, ladder;
  for (std::uint32_t i = 0; i <= n; ++i) {
    nodes.push_back(k.id());
    ladder.push_back(k.id());
  }
  const Id exit = k.id();
  k.branch(ladder[0]);
  for (std::uint32_t i = 0; i < n; ++i) {  // each rung leads into the cycle, or on
    k.label(ladder[i]);
    k.branch(k.less(lane, k.load(i)), nodes[i], i + 1 < n ? ladder[i + 1] : exit);
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    k.label(nodes[i]);
    k.store(lane, i);
    k.branch(k.less(lane, k.load(i)), nodes[(i + 1) % n], i == 0 ? exit : nodes[i / 2]);
  }
  k.label(exit);
  return k.end();
}

Words chains(std::uint32_t n) {
  Kernel k;
  const Id type = k.pointer(spv::StorageClass::CrossWorkgroup, k.number);
  const Id generic = k.pointer(spv::StorageClass::Generic, k.number);
  k.begin();
  const Id lane = k.lane();
  Id pointer = k.out();
  Id sum = lane;
  for (std::uint32_t i = 0; i < n; ++i) {
    pointer = k.value(spv::Op::OpInBoundsPtrAccessChain, type, {pointer, lane});
    const Id cast = k.value(spv::Op::OpPtrCastToGeneric, generic, {pointer});
    sum = k.add(sum, k.value(spv::Op::OpLoad, k.number, {cast}));
  }
  k.store(sum);
  return k.end();
}

Words constants(std::uint32_t n) {
  Kernel k;
  const Id vector = k.vector(k.number, 4);
  k.begin();
  Id sum = k.lane();
  for (std::uint32_t i = 0; i < n; ++i) {
    const Id one = k.constant_of(std::uint64_t{i} * 0x9e3779b97f4a7c15u);
    const Id four = k.declare(spv::Op::OpConstantComposite, vector, {one, one, one, one});
    sum = k.value(spv::Op::OpBitwiseXor, k.number,
                  {sum, k.value(spv::Op::OpCompositeExtract, k.number, {four, i % 4})});
  }
  k.store(sum);
  return k.end();
}

Words decorations(std::uint32_t n) {
  Kernel k;
  const Id type = k.pointer(spv::StorageClass::CrossWorkgroup, k.number);
  k.begin();
  const Id lane = k.lane();
  for (std::uint32_t i = 0; i < n; ++i) {
    const Id pointer = k.value(spv::Op::OpInBoundsPtrAccessChain, type, {k.out(), lane});
    k.decorate(pointer, spv::Decoration::Alignment, {1u << i % 4});
    k.emit(spv::Op::OpStore, {pointer, lane});
  }
  return k.end();
}

Words names(std::uint32_t n) {
  Kernel k;
  k.begin();
  Id sum = k.lane();
  const Id one = sum;
  for (std::uint32_t i = 0; i < n; ++i) {
    sum = k.add(sum, one);
    k.name(sum, "the same long name " + std::to_string(i % 3));
  }
  k.store(sum);
  return k.end();
}

Words switch_cases(std::uint32_t n) {
  Kernel k;
  k.begin();
  const Id selector = k.load(), lane = k.lane();
  const Id join = k.id(), otherwise = k.id();
  // An instruction has at most 65,535 words.
  constexpr std::uint32_t kMostCases = 20'000;
  std::vector<Id> arms;
  for (std::uint32_t first = 0; first < n; first += kMostCases) {
    const std::uint32_t count = n - first < kMostCases ? n - first : kMostCases;
    const Id next = first + count < n ? k.id() : otherwise;
    Words operands{selector, next};
    for (std::uint32_t i = 0; i < count; ++i) {
      arms.push_back(k.id());
      operands.insert(operands.end(), {(first + i) * 7, 0, arms.back()});
    }
    k.emit(spv::Op::OpSwitch, operands);
    if (next != otherwise) k.label(next);
  }
  Words phi;
  for (const Id arm : arms) {
    k.label(arm);
    const Id value = k.add(lane, selector);
    k.branch(join);
    if (phi.size() + 2 < kMostCases * 3) phi.insert(phi.end(), {value, arm});
  }
  k.label(otherwise);
  k.branch(join);
  k.label(join);
  if (n <= kMostCases) {
    phi.insert(phi.end(), {lane, otherwise});
    k.store(k.value(spv::Op::OpPhi, k.number, phi));
  }
  return k.end();
}

Words types(std::uint32_t n) {
  constexpr std::uint32_t kDepth = 32;
  Kernel k;
  k.begin();
  Id inner = k.number;
  for (std::uint32_t i = 0; i < n; ++i) {
    inner = k.declare(spv::Op::OpTypeStruct, 0, {i % kDepth == 0 ? k.number : inner, k.number});
    const Id pointer = k.pointer(spv::StorageClass::CrossWorkgroup, inner);
    const Id cast = k.value(spv::Op::OpBitcast, pointer, {k.out()});
    const Id loaded = k.value(spv::Op::OpLoad, inner, {cast});
    k.store(k.value(spv::Op::OpCompositeExtract, k.number, {loaded, 1}));
  }
  return k.end();
}

Words live_values(std::uint32_t n) {
  Kernel k;
  const Id vector = k.vector(k.number, 16);
  const Id pointer = k.pointer(spv::StorageClass::CrossWorkgroup, vector);
  k.begin();
  const Id lane = k.lane();
  const Id base = k.value(spv::Op::OpBitcast, pointer, {k.out()});
  const auto place = [&](std::uint32_t i) {
    const Id row = k.add(lane, k.constant_of(i));
    return k.value(spv::Op::OpInBoundsPtrAccessChain, pointer, {base, row});
  };
  std::vector<Id> values;
  for (std::uint32_t i = 0; i < n; ++i)
    values.push_back(k.value(spv::Op::OpLoad, vector, {place(i)}));
  for (std::uint32_t i = 0; i < n; ++i) k.emit(spv::Op::OpStore, {place(i), values[n - 1 - i]});
  return k.end();
}

std::span<const HostileFamily> hostile_families() {
  static constexpr HostileFamily kFamilies[] = {
      {"calls", calls},
      {"phis", rotating_phis},
      {"aggregates", aggregates},
      {"blocks", blocks},
      {"loops", loops},
      {"irreducible", irreducible},
      {"chains", chains},
      {"constants", constants},
      {"decorations", decorations},
      {"names", names},
      {"switch cases", switch_cases},
      {"types", types},
      {"live values", live_values},
  };
  return kFamilies;
}

}  // namespace transpire::fuzz
