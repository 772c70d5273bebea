// What every handler table must hold.
#include <doctest/doctest.h>

#include <type_traits>

#include "tests/vm/ops/row_runner.h"
#include "vm/ops/op.h"
#include "vm/reference/handlers.h"

namespace transpire::test {

namespace {

std::string missing(const vm::HandlerTable& table, Op op, Kind kind) {
  const auto& entry = table.simple[static_cast<std::size_t>(op)][static_cast<std::size_t>(kind)];
  const bool rows = entry[vm::kRows] != nullptr, uniform = entry[vm::kUniform] != nullptr;
  return rows && uniform ? "" : std::string(info(op).name) + " " + kind_name(kind) + "\n";
}

/// How many entries of an array of handlers, or of arrays of them, are empty.
template <class T>
std::size_t empty_entries(const T& handlers) {
  if constexpr (std::is_array_v<T>) {
    std::size_t count = 0;
    for (const auto& each : handlers) count += empty_entries(each);
    return count;
  } else {
    return handlers == nullptr ? 1 : 0;
  }
}

/// The kinds that an array of handlers has entries for.
vm::KindSet kinds_of(const vm::Handler (&handlers)[vm::kKindCount]) {
  vm::KindSet kinds = 0;
  for (std::size_t k = 0; k < vm::kKindCount; ++k)
    if (handlers[k] != nullptr) kinds |= bit(static_cast<Kind>(k));
  return kinds;
}

TEST_CASE("each table knows its instruction set") {
  for (const vm::HandlerTable* table : tables()) {
    CHECK(table->lanes % 64 == 0);
    CHECK(table->lanes <= vm::exec::kMaxLanes);
  }
  for (const vm::Isa isa : vm::exec::built_isas())
    if (vm::exec::supported(isa)) CHECK(vm::exec::handlers(isa).isa == isa);
}

TEST_CASE("every lane-wise op has handlers for all its kinds") {
  std::string all_missing;
  for (const vm::HandlerTable* table : tables()) {
    for (std::size_t i = 0; i < vm::kOpCount; ++i) {
      const auto op = static_cast<Op>(i);
      const vm::OpInfo& facts = info(op);
      if (!is_lane_wise(facts.shape) || facts.shape == vm::Shape::kConvert) continue;
      for (std::size_t k = 0; k < vm::kKindCount; ++k)
        if ((facts.kinds & bit(static_cast<Kind>(k))) != 0)
          all_missing += missing(*table, op, static_cast<Kind>(k));
    }
  }
  CHECK(all_missing == "");
}

TEST_CASE("every conversion has a source kind for each of its result kinds") {
  for (const vm::HandlerTable* table : tables()) {
    for (const Op op :
         {Op::kConvertFToS, Op::kConvertFToU, Op::kConvertSToF, Op::kConvertUToF, Op::kFConvert,
          Op::kSatSConvert, Op::kSatUConvert, Op::kSatConvertSToU, Op::kSatConvertUToS}) {
      for (std::size_t to = 0; to < vm::kKindCount; ++to) {
        if ((info(op).kinds & bit(static_cast<Kind>(to))) == 0) continue;
        bool found = false;
        for (std::size_t from = 0; from < vm::kKindCount; ++from)
          found |= table->convert[static_cast<std::size_t>(op)][from][to][0] != nullptr;
        CHECK(found);
      }
    }
  }
}

TEST_CASE("every special op has handlers for all its kinds") {
  std::string missing;
  for (const vm::HandlerTable* table : tables()) {
    const vm::HandlerTable& reference = vm::exec::reference_handlers(*table);
    for (std::size_t i = 0; i < vm::kOpCount; ++i) {
      const auto op = static_cast<Op>(i);
      const vm::OpInfo& facts = info(op);
      const bool has_none = is_lane_wise(facts.shape) || facts.shape == vm::Shape::kValue ||
                            facts.shape == vm::Shape::kMemory || op == Op::kCopy ||
                            op == Op::kSpread || op == Op::kAffine || op == Op::kAnnounceRow ||
                            op == Op::kNoteUndefined;
      for (std::size_t k = 0; k < vm::kKindCount; ++k) {
        const auto kind = static_cast<Kind>(k);
        const bool wanted = !has_none && (facts.kinds & bit(kind)) != 0;
        const bool scalar = facts.shape == vm::Shape::kBuiltin || op == Op::kSwitch ||
                            op == Op::kBranchConditional || op == Op::kImageQuery ||
                            op == Op::kCheckChain || op == Op::kCheckFlag || op == Op::kCheckView ||
                            op == Op::kCheckAlias || facts.imm == vm::Imm::kRounding;
        const bool right = (reference.special_of(op, kind) != nullptr) == wanted &&
                           (reference.special_of(op, kind, true) != nullptr) == (wanted && scalar);
        if (!right && !is_lane_wise(facts.shape))
          missing += std::string(facts.name) + " " + kind_name(kind) + "\n";
      }
    }
  }
  CHECK(missing == "");
}

TEST_CASE("moves have handlers for the kinds of their ops") {
  for (const vm::HandlerTable* table : tables()) {
    CHECK(kinds_of(table->copy) == info(Op::kCopy).kinds);
    CHECK(kinds_of(table->masked_copy) == info(Op::kCopy).kinds);
    CHECK(kinds_of(table->spread) == info(Op::kSpread).kinds);
    CHECK(kinds_of(table->masked_spread) == info(Op::kSpread).kinds);
    CHECK(kinds_of(table->affine) == info(Op::kAffine).kinds);
    CHECK(kinds_of(table->masked_affine) == info(Op::kAffine).kinds);
    CHECK(empty_entries(table->scalar_copy) == 0);
  }
}

TEST_CASE("memory has handlers for all sizes, forms of addresses and spaces") {
  for (const vm::HandlerTable* table : tables()) {
    CHECK(empty_entries(table->load) == 0);
    CHECK(empty_entries(table->store) == 0);
    CHECK(empty_entries(table->load_uniform) == 0);
    CHECK(empty_entries(table->load_uniform_bool) == 0);
    CHECK(empty_entries(table->load_private) == 0);
    CHECK(empty_entries(table->store_private) == 0);
    CHECK(empty_entries(table->address_uniform) == 0);
    CHECK(empty_entries(table->address_rows) == 0);
    for (std::size_t form = 0; form < vm::HandlerTable::kAddressForms; ++form) {
      // Booleans have no planned form.
      const bool planned =
          form == vm::HandlerTable::kPlanned32 || form == vm::HandlerTable::kPlanned64;
      const std::size_t empty = planned ? vm::HandlerTable::kSpaceClasses : 0;
      CHECK(empty_entries(table->load_bool[form]) == empty);
      CHECK(empty_entries(table->store_bool[form]) == empty);
    }
  }
}

TEST_CASE("a scalar can be taken from the row of every special op that has no scalar form") {
  for (std::size_t i = 0; i < vm::kOpCount; ++i) {
    const vm::OpInfo& facts = info(static_cast<Op>(i));
    CAPTURE(facts.name);
    const bool is_exact = facts.imm == vm::Imm::kRounding;  // which have one
    const Op op = static_cast<Op>(i);
    if (op == Op::kCheckDefined || op == Op::kCheckStored) continue;  // they give nothing
    if (facts.shape == vm::Shape::kRows || facts.shape == vm::Shape::kAtomic ||
        (facts.shape == vm::Shape::kList && !is_exact))
      CHECK((facts.kinds & ~(info(Op::kFirstLane).kinds | bit(Kind::kVoid))) == 0);
  }
}

}  // namespace
}  // namespace transpire::test
