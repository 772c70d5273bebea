// Handlers that move rows without computing: copies, spreads of scalars, affine rows, each for all
// lanes or for the running ones. They move bits, so the kinds of one width share them.
#pragma once

#include "vm/exec/handlers.h"
#include "vm/exec/lanes.h"
#include "vm/simd/mask.h"

namespace transpire::vm::TRANSPIRE_ISA {

enum class Lanes : std::uint8_t { kAll, kRunning };

TRANSPIRE_INLINE bool all_running(const Batch* batch) {
  std::uint64_t all = batch->mask[0];
  for (std::uint32_t i = 1; i < kMaskWords; ++i) all &= batch->mask[i];
  return all + 1 == 0;
}

/// d = get(lane) for ascending vectors of lanes. get() is called for every vector, even if no lane
/// keeps it.
template <class U, class Get>
TRANSPIRE_INLINE void write_all(U* d, Get get) {
  for (std::uint32_t i = 0; i < kLanes; i += kVectorLanes<U>) store<U>(d + i, get(i));
}
template <class U, class Get>
TRANSPIRE_INLINE void write_running(U* d, const Batch* batch, Get get) {
  for (std::uint32_t word = 0; word < kMaskWords; ++word) {
    const std::uint64_t bits = batch->mask[word];
    for (std::uint32_t lane = 0; lane < 64; lane += kVectorLanes<U>) {
      U* const at = d + word * 64 + lane;
      store(at, blend<U>(lane_mask<U>(bits, lane), get(word * 64 + lane), load(at)));
    }
  }
}
template <Lanes kLanesWritten, class U, class Get>
TRANSPIRE_INLINE void write_row(U* d, const Batch* batch, Get get) {
  if (kLanesWritten == Lanes::kAll || all_running(batch))
    write_all(d, get);
  else
    write_running(d, batch, get);
}

template <Lanes kLanesWritten, class U>
const Inst* copy_row(const Inst* ip, std::byte* r, Batch* batch) {
  const Operand<U, false> a = operand<U, false>(r, ip->a);
  write_row<kLanesWritten>(row<U>(r, ip->d), batch,
                           [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA { return a.vector(i); });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <Lanes kLanesWritten, class U>
const Inst* spread_scalar(const Inst* ip, std::byte* r, Batch* batch) {
  const Vector<U> value = splat(scalar<U>(r, ip->a));
  write_row<kLanesWritten>(row<U>(r, ip->d), batch,
                           [&](std::uint32_t) TRANSPIRE_INLINE_LAMBDA { return value; });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// The sums of one vector's lanes are one step apart; each further vector adds a vector's worth of
/// steps.
template <Lanes kLanesWritten, class U>
const Inst* affine_row(const Inst* ip, std::byte* r, Batch* batch) {
  const U step = static_cast<U>(ip->imm);
  Vector<U> value = splat(scalar<U>(r, ip->a)) + product(steps<U>(), splat(step));
  const Vector<U> vector_step = splat(static_cast<U>(1u * step * kVectorLanes<U>));
  write_row<kLanesWritten>(row<U>(r, ip->d), batch, [&](std::uint32_t) TRANSPIRE_INLINE_LAMBDA {
    const Vector<U> result = value;
    value += vector_step;
    return result;
  });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// Rows of bools are mask words.
template <Lanes kLanesWritten, class Get>
TRANSPIRE_INLINE void write_mask(std::uint64_t* d, const Batch* batch, Get get) {
  for (std::uint32_t i = 0; i < kMaskWords; ++i) {
    const std::uint64_t keep = kLanesWritten == Lanes::kAll ? 0 : ~batch->mask[i];
    d[i] = (d[i] & keep) | (get(i) & ~keep);
  }
}
template <Lanes kLanesWritten>
const Inst* copy_mask(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint64_t* a = mask_row(r, ip->a);
  write_mask<kLanesWritten>(mask_row(r, ip->d), batch,
                            [&](std::uint32_t i) TRANSPIRE_INLINE_LAMBDA { return a[i]; });
  TRANSPIRE_TAIL return next(ip, r, batch);
}
template <Lanes kLanesWritten>
const Inst* spread_bool(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint64_t word = scalar_word(r, ip->a);
  write_mask<kLanesWritten>(mask_row(r, ip->d), batch,
                            [&](std::uint32_t) TRANSPIRE_INLINE_LAMBDA { return word; });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

static inline const Inst* copy_scalar(const Inst* ip, std::byte* r, Batch* batch) {
  scalar<std::uint64_t>(r, ip->d) = scalar<std::uint64_t>(r, ip->a);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// Scalar d = row a in the first running lane.
template <class U>
const Inst* take_first_lane(const Inst* ip, std::byte* r, Batch* batch) {
  scalar<U>(r, ip->d) = row<U>(r, ip->a)[first_lane(batch->mask)];
  TRANSPIRE_TAIL return next(ip, r, batch);
}

}  // namespace transpire::vm::TRANSPIRE_ISA
