// What an observer is told of accesses, as counts that tests compare.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/runtime/support.h"
#include "vm/exec/work_item.h"
#include "vm/observe/observer.h"
#include "vm/program/program.h"

namespace transpire::test {

/// Work-item, where, offset, bytes, kind.
using Seen = std::tuple<std::uint64_t, std::string, std::uint64_t, std::uint64_t, vm::AccessKind>;
using SeenCounts = std::map<Seen, int>;

/// Every access by its place; of private and workgroup memory from the lowest address on.
class AccessLog final : public vm::Observer {
 public:
  AccessLog(Buffer& a, Buffer& b) : buffers_{&a, &b} {}

  void access(const vm::exec::Batch& batch, const vm::ObservedAccess& access) override {
    const std::uint64_t item = vm::exec::work_item(batch, access.lane).global_id[0];
    forms.insert(form_of(batch, *access.instruction));
    if (access.place.is_private || access.place.is_workgroup) {
      const char* where = access.place.is_private ? "private" : "tile";
      memory_.push_back({item, where, access.address, access.bytes, access.kind});
      return;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const std::byte* begin = buffers_[i]->bytes().data();
      if (access.place.base < begin || access.place.base >= begin + buffers_[i]->bytes().size())
        continue;
      const auto offset = static_cast<std::uint64_t>(access.place.base - begin);
      ++counts_[{item, i == 0 ? "a" : "b", offset, access.bytes, access.kind}];
    }
  }

  SeenCounts counts() const {
    SeenCounts all = counts_;
    std::map<std::string, std::uint64_t> lowest;
    for (const Seen& seen : memory_) {
      const auto [known, is_new] = lowest.try_emplace(std::get<1>(seen), std::get<2>(seen));
      known->second = std::min(known->second, std::get<2>(seen));
    }
    for (Seen seen : memory_) {
      std::get<2>(seen) -= lowest[std::get<1>(seen)];
      ++all[seen];
    }
    return all;
  }

  std::set<std::string> forms;

 private:
  static std::string form_of(const vm::exec::Batch& batch, const vm::Inst& inst) {
    static constexpr const char* kForms[] = {"uniform", "affine32",  "affine64", "row32",
                                             "row64",   "planned32", "planned64"};
    const vm::HandlerTable& table = *batch.program->handlers;
    const auto is = [&](vm::Handler handler) { return handler == inst.run; };
    if (is(table.special_of(vm::Op::kUnreachable))) return "part";
    for (std::size_t f = 0; f < vm::HandlerTable::kAddressForms; ++f)
      for (std::size_t space = 0; space < vm::HandlerTable::kSpaceClasses; ++space) {
        if (is(table.load_bool[f][space])) return fmt::format("{} bool load", kForms[f]);
        if (is(table.store_bool[f][space])) return fmt::format("{} bool store", kForms[f]);
        for (std::size_t size = 0; size < 4; ++size) {
          if (is(table.load[size][f][space])) return fmt::format("{} load", kForms[f]);
          if (is(table.store[size][f][space])) return fmt::format("{} store", kForms[f]);
        }
      }
    if (std::any_of(std::begin(table.load_uniform), std::end(table.load_uniform), is))
      return "scalar load";
    return "special";
  }

  Buffer* buffers_[2];
  SeenCounts counts_;
  std::vector<Seen> memory_;
};

inline std::string describe(const Seen& seen, int expected, int seen_count) {
  const auto& [item, where, offset, bytes, kind] = seen;
  return fmt::format("work-item {}, {} + {}, {} bytes, kind {}: expected {}, seen {}", item, where,
                     offset, bytes, static_cast<int>(kind), expected, seen_count);
}

/// The first access of which there are not as many as expected; empty: none.
inline std::string first_difference(const SeenCounts& expected, const SeenCounts& seen) {
  const auto count = [](const SeenCounts& counts, const Seen& one) {
    const auto found = counts.find(one);
    return found == counts.end() ? 0 : found->second;
  };
  for (const SeenCounts* counts : {&expected, &seen})
    for (const auto& [one, ignored] : *counts)
      if (count(expected, one) != count(seen, one))
        return describe(one, count(expected, one), count(seen, one));
  return {};
}

}  // namespace transpire::test
