// What every handler table must hold.
#include <doctest/doctest.h>

#include "tests/vm/ops/row_runner.h"
#include "vm/ops/op.h"
#include "vm/reference/handlers.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;

namespace {

std::string missing(const vm::HandlerTable& table, Op op, Kind kind) {
  const auto& entry = table.simple[static_cast<std::size_t>(op)][static_cast<std::size_t>(kind)];
  const bool rows = entry[vm::kRows] != nullptr, uniform = entry[vm::kUniform] != nullptr;
  return rows && uniform ? "" : std::string(info(op).name) + " " + kind_name(kind) + "\n";
}

}  // namespace

TEST_CASE("each table knows its instruction set") {
  for (const vm::HandlerTable* table : tables()) {
    CHECK(table->lanes % 64 == 0);
    CHECK(table->lanes <= vm::exec::kMaxLanes);
  }
  CHECK(std::string(tables()[0]->isa) == "baseline");
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
                            facts.shape == vm::Shape::kMemory || op == Op::kSpread ||
                            op == Op::kAffine;
      for (std::size_t k = 0; k < vm::kKindCount; ++k) {
        const auto kind = static_cast<Kind>(k);
        const bool wanted = !has_none && (facts.kinds & bit(kind)) != 0;
        const bool scalar = facts.shape == vm::Shape::kBuiltin || op == Op::kSwitch ||
                            op == Op::kBranchConditional || facts.imm == vm::Imm::kRounding;
        const bool right = (reference.special_of(op, kind) != nullptr) == wanted &&
                           (reference.special_of(op, kind, true) != nullptr) == (wanted && scalar);
        if (!right && !is_lane_wise(facts.shape))
          missing += std::string(facts.name) + " " + kind_name(kind) + "\n";
      }
    }
  }
  CHECK(missing == "");
}

}  // namespace transpire::test
