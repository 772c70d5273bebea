#include "ulp/rows.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace transpire::ulp {
namespace {

using vm::HandlerTable;
using vm::Inst;
using vm::Kind;
using vm::exec::Batch;

constexpr int kRepetitions = 15;

const Inst* leave(const Inst*, std::byte*, Batch*) { return nullptr; }

vm::Handler handler_of(const HandlerTable* table, vm::Op op, Kind kind, vm::Rounding rounding) {
  if (table == nullptr) return nullptr;
  if (rounding != vm::Rounding::kRte && op == vm::Op::kSqrt) op = vm::Op::kSqrtRounded;
  if (rounding != vm::Rounding::kRte && op == vm::Op::kFDiv) op = vm::Op::kFDivRounded;
  return table->simple[static_cast<std::size_t>(op)][static_cast<std::size_t>(kind)][vm::kRows];
}

double now() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

RowCaller::RowCaller(const MeasuredFunction& function, Kind kind, const HandlerTable* table,
                     const Own* own, std::optional<Shader> shader, vm::Rounding rounding)
    : function_(function),
      kind_(kind),
      integer_(function.takes_integer()),
      lanes_(table == nullptr ? 1 : table->lanes),
      handler_(handler_of(table, function.op, kind, rounding)),
      rounding_(rounding),
      own_(own),
      shader_(std::move(shader)) {}

bool RowCaller::call(Block& block, std::size_t contender) const {
  const std::uint32_t size = block.bytes;
  if (own_ != nullptr)
    return (*own_)({block.count, block.a.data(), block.has_second ? block.b.data() : nullptr,
                    block.results[contender].data()});
  if (shader_) return shader_->call(block, contender);
  if (handler_ == nullptr) {
    for (std::size_t i = 0; i < block.count; ++i)
      write_bits(block.results[contender].data(), i, size, call_library(block.call(i)));
    return true;
  }
  Batch batch{};
  std::fill(std::begin(batch.mask), std::end(batch.mask), ~std::uint64_t{0});
  const auto result = static_cast<std::uint32_t>((kMostOperands + contender) * sizeof(Row));
  for (std::uint32_t first = 0; first < block.count; first += lanes_) {
    const std::uint32_t second = sizeof(Row) + first * block.second_bytes;
    const Inst code[2] = {{handler_,
                           result + first * size,
                           first * size,
                           second,
                           0,
                           {static_cast<std::uint64_t>(rounding_)}},
                          {&leave, 0, 0, 0, 0, {0}}};
    for (const Inst* ip = code; ip != nullptr;) ip = ip->run(ip, block.registers(), &batch);
  }
  return true;
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

std::optional<double> RowCaller::time(Block& block) const {
  if (handler_ == nullptr && own_ == nullptr && !shader_) return time_library(block);
  double best = 1e30;
  for (int i = 0; i < kRepetitions; ++i) {
    const double start = now();
    if (!call(block, 0)) return std::nullopt;
    best = std::min(best, now() - start);
  }
  return best / static_cast<double>(block.count);
}

template <class T, class F>
double RowCaller::time_scalars(F function, const Block& block) const {
  std::vector<T> a, b, results(block.count);
  std::vector<int> n;
  for (std::size_t k = 0; k < block.count; ++k) {
    const Call call = block.call(k);
    a.push_back(static_cast<T>(extinst::reference::to_double(kind_, call.a)));
    b.push_back(static_cast<T>(extinst::reference::to_double(kind_, call.b)));
    n.push_back(static_cast<std::int32_t>(call.b));
  }
  double best = 1e30;
  for (int i = 0; i < kRepetitions; ++i) {
    const double start = now();
    for (std::size_t k = 0; k < block.count; ++k) results[k] = function(a[k], b[k], n[k]);
    best = std::min(best, now() - start);
  }
  return best / static_cast<double>(block.count);
}

double RowCaller::time_library(const Block& block) const {
  if (kind_ == Kind::kF64) return time_scalars<double>(function_.twice, block);
  return time_scalars<float>(function_.single, block);
}

}  // namespace transpire::ulp
