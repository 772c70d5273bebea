// The work-items of a group, one by one in the order of their local linear ids, for instructions of
// groups.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "base/rule.h"
#include "vm/exec/access.h"
#include "vm/exec/group.h"
#include "vm/exec/lane_ids.h"
#include "vm/exec/related.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {

inline bool runs(const Batch& batch, std::uint32_t lane) { return has_lane(batch.mask, lane); }

/// The lowest `count` bits, 1 to 64 of them.
inline std::uint64_t low_bits(std::uint32_t count) { return ~std::uint64_t{0} >> (64 - count); }

/// The bits of a mask from lane `begin` on, `count` of them, 1 to 64.
inline std::uint64_t bits_at(const std::uint64_t* mask, std::uint32_t begin, std::uint32_t count) {
  const std::uint32_t word = begin / 64, shift = begin % 64;
  std::uint64_t bits = mask[word] >> shift;
  if (shift + count > 64) bits |= mask[word + 1] << (64 - shift);
  return bits & low_bits(count);
}

/// Calls f(batch, lane) for every running work-item of a group, in order.
template <class F>
void each_item(GroupParts group, F f) {
  for (std::uint32_t p = 0; p < group.count; ++p) {
    const GroupPart& part = group.parts[p];
    for (std::uint32_t at = part.begin; at < part.end; at += 64) {
      const std::uint32_t count = std::min(part.end - at, 64u);
      std::uint64_t bits = bits_at(part.batch->mask, at, count);
      if (bits == low_bits(count)) {
        for (std::uint32_t lane = at; lane < at + count; ++lane) f(*part.batch, lane);
        continue;
      }
      for (; bits != 0; bits &= bits - 1)
        f(*part.batch, at + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
}

/// A work-item; without a batch: none.
struct Item {
  Batch* batch = nullptr;
  std::uint32_t lane = 0;
};

/// The first running work-item of a group, which has one.
inline Item first_item(GroupParts group) {
  for (std::uint32_t p = 0; p < group.count; ++p)
    for (std::uint32_t lane = group.parts[p].begin; lane < group.parts[p].end; ++lane)
      if (runs(*group.parts[p].batch, lane)) return {group.parts[p].batch, lane};
  return {};
}

template <class T>
T* row(const Batch& batch, std::uint32_t offset) {
  return reinterpret_cast<T*>(batch.registers + offset);
}

/// Calls f(lane) for the running lanes.
template <class F>
void each_lane(Batch* batch, F f) {
  const GroupPart all{batch, 0, batch->program->lanes};
  each_item({&all, 1}, [&](Batch&, std::uint32_t lane) { f(lane); });
}

/// The instruction's result in the running lanes is f(lane).
template <class T, class F>
void give_each(const Inst* ip, Batch* batch, F f) {
  T results[kMaxLanes];  // the row of the result may be an operand's
  each_lane(batch, [&](std::uint32_t lane) { results[lane] = f(lane); });
  each_lane(batch, [&](std::uint32_t lane) { row<T>(*batch, ip->d)[lane] = results[lane]; });
}

/// The operand's values in the first work-item and in another one, for finding R0045.
inline OtherHalf unlike(const Item& first, std::uint64_t expected, const Item& item,
                        std::uint64_t value, std::string_view name) {
  return {{},
          {operand_of(*first.batch, first.lane, name, expected),
           operand_of(*item.batch, item.lane, name, value)}};
}

template <class T>
void give_all(const Inst* ip, GroupParts group, T value) {
  each_item(group, [&](Batch& batch, std::uint32_t i) { row<T>(batch, ip->d)[i] = value; });
}

/// Reports the work-items of a group for which `wrong` holds, batch by batch. `operand_of(batch, lane)`
/// returns the other half of the finding, an OtherHalf.
template <class F, class OperandOf>
void report_items(const Inst* ip, GroupParts group, Rule rule, F wrong, OperandOf operand_of) {
  for (std::uint32_t p = 0; p < group.count; ++p)
    each_item({group.parts + p, 1}, [&](Batch& batch, std::uint32_t i) {
      if (wrong(batch, i)) report_with(&batch, ip, rule, i, operand_of(batch, i));
    });
}

/// As report_items() above, without another half.
template <class F>
void report_items(const Inst* ip, GroupParts group, Rule rule, F wrong) {
  for (std::uint32_t p = 0; p < group.count; ++p) {
    std::uint64_t lanes[kMaxMaskWords] = {};
    bool any = false;
    each_item({group.parts + p, 1}, [&](Batch& batch, std::uint32_t i) {
      if (!wrong(batch, i)) return;
      lanes[i / 64] |= std::uint64_t{1} << (i % 64);
      any = true;
    });
    if (any) report_lanes(group.parts[p].batch, ip, static_cast<std::uint16_t>(rule), lanes);
  }
}

/// Finding R0045 for work-items with an operand, in the row at `offset`, that differs from the
/// first one's.
template <class T>
void check_operand(const Inst* ip, GroupParts group, const Item& first, std::uint32_t offset,
                   std::string_view name) {
  const T expected = row<T>(*first.batch, offset)[first.lane];
  report_items(
      ip, group, Rule::kR0045,
      [&](Batch& batch, std::uint32_t i) { return row<T>(batch, offset)[i] != expected; },
      [&](Batch& batch, std::uint32_t i) {
        return unlike(first, expected, {&batch, i}, row<T>(batch, offset)[i], name);
      });
}

}  // namespace transpire::vm::exec
