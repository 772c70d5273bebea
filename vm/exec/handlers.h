// Common declarations of handlers. Every family file (vm/exec/rows/*_rows.cpp,
// vm/exec/*_handlers.cpp) is compiled once per instruction set, see vm/simd/isa.h, and fills its
// part of the table.
#pragma once

#include <utility>

#include "vm/exec/engine.h"
#include "vm/simd/isa.h"

namespace transpire::vm::TRANSPIRE_ISA {

using namespace exec;

/// Before the return with which a handler goes on: a jump, whatever of its frame it has shown to others. g++ finds that out by
/// itself.
#if defined(__clang__) && !defined(TRANSPIRE_LOOP_DISPATCH)
#define TRANSPIRE_TAIL [[clang::musttail]]
#else
#define TRANSPIRE_TAIL
#endif

/// Goes on with the next instruction. Optimised builds make it a tail call; in debug and sanitizer
/// builds, and on machines that CMake does not know, the engine's loop does it, so the stack cannot grow.
TRANSPIRE_INLINE const Inst* next(const Inst* ip, std::byte* r, Batch* batch) {
#if defined(TRANSPIRE_LOOP_DISPATCH)
  (void)r;
  (void)batch;
  return ip + 1;
#else
  TRANSPIRE_TAIL return ip[1].run(ip + 1, r, batch);
#endif
}

/// For an instruction that is compiled once for all instruction sets: it loops over the lanes
/// itself.
template <void (*kFunction)(const Inst*, std::byte*, Batch*)>
const Inst* each(const Inst* ip, std::byte* r, Batch* batch) {
  kFunction(ip, r, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// make.operator()<kKind>() for each kind of a set.
template <KindSet kKinds, class Make>
void for_kinds(Make make) {
  const auto one = [&]<std::size_t kIndex>() {
    constexpr auto kKind = static_cast<Kind>(kIndex);
    if constexpr ((kKinds & bit(kKind)) != 0) make.template operator()<kKind>();
  };
  const auto all = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    (one.template operator()<kIndex>(), ...);
  };
  all(std::make_index_sequence<kKindCount>{});
}

/// A struct of the row's name makes the handlers of a special shape, with
///
///     template <Kind kKind> static constexpr Handler rows = ...;    // for each kind of the row
///     template <Kind kKind> static constexpr Handler scalar = ...;  // where there is one
///
/// or with fill(HandlerTable&), where forms of addresses or masks are chosen from as well.
template <class Row, Op kOp, KindSet kKinds>
void fill_special(HandlerTable& table) {
  if constexpr (requires { Row::fill(table); }) {
    Row::fill(table);
  } else {
    for_kinds<kKinds>([&]<Kind kKind>() {
      Handler(&entry)[2] =
          table.special[static_cast<std::size_t>(kOp)][static_cast<std::size_t>(kKind)];
      entry[0] = Row::template rows<kKind>;
      if constexpr (requires { Row::template scalar<kKind>; })
        entry[1] = Row::template scalar<kKind>;
    });
  }
}

/// One handler for all kinds.
template <Handler kHandler>
struct AnyKind {
  template <Kind>
  static constexpr Handler rows = kHandler;
};

/// Each family fills its part of the table: fill_arithmetic(), ...
#define TRANSPIRE_OP(name, shape, kinds, cheap, flags, meaning)
#define TRANSPIRE_FAMILY(name) void fill_##name(HandlerTable& table);
#include "vm/ops/all.def"
#undef TRANSPIRE_FAMILY
#undef TRANSPIRE_OP

}  // namespace transpire::vm::TRANSPIRE_ISA

/// For `#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL` before including a .def file of special ops
/// inside a fill function whose HandlerTable is called `table`. A row without a struct does not compile.
#define TRANSPIRE_FILL_SPECIAL(name, shape, signature, imm, kinds, cheap, flags, meaning) \
  fill_special<name, Op::k##name, (kinds)>(table);
