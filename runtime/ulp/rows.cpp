#include "runtime/ulp/rows.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace transpire::runtime::ulp {
namespace {

using vm::Kind;
using vm::exec::Batch;
using vm::exec::HandlerTable;
using vm::exec::Inst;

constexpr std::uint32_t kRowBytes = vm::exec::kMaxLanes * 8;
constexpr int kRepetitions = 15;

const Inst* leave(const Inst*, std::byte*, Batch*) { return nullptr; }

vm::exec::Handler handler_of(const HandlerTable* table, vm::Op op, Kind kind) {
  if (table == nullptr) return nullptr;
  return table
      ->simple[static_cast<std::size_t>(op)][static_cast<std::size_t>(kind)][vm::exec::kRows];
}

double now() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

/// A register block: result, a, b.
struct RowCaller::Rows {
  alignas(64) std::byte bytes[3 * kRowBytes] = {};

  // Copies of a size that the compiler knows: no calls.
  void set(std::uint32_t row, std::uint32_t lane, std::uint32_t size, Bits bits) {
    std::byte* const at = bytes + row * kRowBytes + lane * size;
    if (size == 4)
      std::memcpy(at, &bits, 4);
    else if (size == 8)
      std::memcpy(at, &bits, 8);
    else
      std::memcpy(at, &bits, 2);
  }
  Bits result(std::uint32_t lane, std::uint32_t size) const {
    const std::byte* const at = bytes + lane * size;
    Bits bits = 0;
    if (size == 4)
      std::memcpy(&bits, at, 4);
    else if (size == 8)
      std::memcpy(&bits, at, 8);
    else
      std::memcpy(&bits, at, 2);
    return bits;
  }
};

RowCaller::RowCaller(const MeasuredFunction& function, Kind kind, const HandlerTable* table)
    : function_(function),
      kind_(kind),
      integer_(function.takes_integer()),
      lanes_(table == nullptr ? 1 : table->lanes),
      handler_(handler_of(table, function.function.op, kind)) {}

void RowCaller::run(Rows& rows) const {
  const Inst code[2] = {{handler_, 0, kRowBytes, 2 * kRowBytes, 0, 0}, {&leave, 0, 0, 0, 0, 0}};
  Batch batch{};
  std::fill(std::begin(batch.mask), std::end(batch.mask), ~std::uint64_t{0});
  for (const Inst* ip = code; ip != nullptr;) ip = ip->run(ip, rows.bytes, &batch);
}

void RowCaller::call(const std::vector<Call>& calls, std::vector<Bits>* results) const {
  results->resize(calls.size());
  if (handler_ == nullptr) {
    std::ranges::transform(calls, results->begin(), [&](const Call& c) { return call_library(c); });
    return;
  }
  Rows rows;
  const std::uint32_t size = vm::lane_bytes(kind_);
  const std::uint32_t second = integer_ ? 4 : size;
  for (std::size_t first = 0; first < calls.size(); first += lanes_) {
    const auto count =
        static_cast<std::uint32_t>(std::min<std::size_t>(lanes_, calls.size() - first));
    for (std::uint32_t i = 0; i < count; ++i) {
      rows.set(1, i, size, calls[first + i].a);
      rows.set(2, i, second, calls[first + i].b);
    }
    run(rows);
    for (std::uint32_t i = 0; i < count; ++i) (*results)[first + i] = rows.result(i, size);
  }
}

Bits RowCaller::call_library(const Call& call) const {
  const int n = integer_ ? static_cast<std::int32_t>(call.b) : 0;
  if (kind_ == Kind::kF64)
    return __builtin_bit_cast(Bits, function_.twice(__builtin_bit_cast(double, call.a),
                                                    __builtin_bit_cast(double, call.b), n));
  const auto single = [](Bits bits) {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits));
  };
  return __builtin_bit_cast(std::uint32_t, function_.single(single(call.a), single(call.b), n));
}

double RowCaller::time(const std::vector<Call>& calls) const {
  if (handler_ == nullptr) return time_library(calls);
  const std::uint32_t size = vm::lane_bytes(kind_);
  const std::uint32_t second = integer_ ? 4 : size;
  std::vector<Rows> rows(calls.size() / lanes_);
  for (std::size_t i = 0; i < rows.size() * lanes_; ++i) {
    rows[i / lanes_].set(1, i % lanes_, size, calls[i].a);
    rows[i / lanes_].set(2, i % lanes_, second, calls[i].b);
  }
  double best = 1e30;
  for (int i = 0; i < kRepetitions; ++i) {
    const double start = now();
    for (Rows& row : rows) run(row);
    best = std::min(best, now() - start);
  }
  return best / static_cast<double>(rows.size() * lanes_);
}

template <class T, class F>
double RowCaller::time_scalars(F function, const std::vector<Call>& calls) const {
  std::vector<T> a, b, results(calls.size());
  for (const Call& call : calls) {
    a.push_back(static_cast<T>(extinst::reference::to_double(kind_, call.a)));
    b.push_back(static_cast<T>(extinst::reference::to_double(kind_, call.b)));
  }
  double best = 1e30;
  for (int i = 0; i < kRepetitions; ++i) {
    const double start = now();
    for (std::size_t k = 0; k < calls.size(); ++k)
      results[k] = function(a[k], b[k], static_cast<std::int32_t>(calls[k].b));
    best = std::min(best, now() - start);
  }
  return best / static_cast<double>(calls.size());
}

double RowCaller::time_library(const std::vector<Call>& calls) const {
  if (kind_ == Kind::kF64) return time_scalars<double>(function_.twice, calls);
  return time_scalars<float>(function_.single, calls);
}

}  // namespace transpire::runtime::ulp
