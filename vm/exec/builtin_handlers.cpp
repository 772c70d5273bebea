// Built-in variables: ids and sizes of the launch, the work-group and the lane, as 64-bit values.
#include "vm/exec/handlers.h"
#include "vm/exec/lane_ids.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

/// Each struct gives the lane's value; `d` is the dimension.
struct LocalId {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t d, std::uint32_t i) {
    return exec::local_id(*b, d, i);
  }
};
struct GroupId {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t d, std::uint32_t i) {
    return exec::group_id(*b, d, i);
  }
};
struct GlobalId {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t d, std::uint32_t i) {
    return exec::global_id(*b, d, i);
  }
};
struct NumGroups {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t d, std::uint32_t) {
    return b->launch->num_groups[d];
  }
};
struct GlobalSize {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t d, std::uint32_t) {
    return b->launch->global_size[d];
  }
};
struct LocalSize {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t d, std::uint32_t) {
    return b->local_size[d];
  }
};
struct EnqueuedLocalSize {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t d, std::uint32_t) {
    return b->launch->enqueued_local_size[d];
  }
};
struct GlobalOffset {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t d, std::uint32_t) {
    return b->launch->global_offset[d];
  }
};
struct WorkDim {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t, std::uint32_t) {
    return b->launch->work_dim;
  }
};
struct GlobalLinearId {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t, std::uint32_t i) {
    return exec::global_linear_id(*b, i);
  }
};
struct LocalLinearId {
  static TRANSPIRE_INLINE std::uint64_t lane(const Batch* b, std::uint64_t, std::uint32_t i) {
    return exec::local_linear_id(*b, i);
  }
};

/// The common ids have loops of their own, without a choice inside.
const Inst* local_id_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint32_t* __restrict local = batch->local_id[ip->imm];
  std::uint64_t* __restrict d = row<std::uint64_t>(r, ip->d);
  for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = local[i];
  TRANSPIRE_TAIL return next(ip, r, batch);
}

const Inst* global_id_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint64_t dim = ip->imm;
  const std::uint32_t* __restrict local = batch->local_id[dim];
  const std::uint32_t* __restrict groups = batch->packed_group_id[dim];
  std::uint64_t* __restrict d = row<std::uint64_t>(r, ip->d);
  const std::uint64_t offset = batch->launch->global_offset[dim];
  const std::uint64_t size = batch->launch->enqueued_local_size[dim];
  if (groups != nullptr) {
    for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = offset + groups[i] * size + local[i];
  } else {
    const std::uint64_t start = offset + batch->group_id[dim] * size;
    for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = start + local[i];
  }
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class Builtin>
const Inst* lane_rows(const Inst* ip, std::byte* r, Batch* batch) {
  std::uint64_t* d = row<std::uint64_t>(r, ip->d);
  const Batch* b = batch;
  for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = Builtin::lane(b, ip->imm, i);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

/// The ids of lane 0, from which the others differ by their lane number or not at all.
template <class Builtin>
const Inst* lane_zero(const Inst* ip, std::byte* r, Batch* batch) {
  scalar<std::uint64_t>(r, ip->d) = Builtin::lane(batch, ip->imm, 0);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

template <class Builtin>
struct Handlers {
  template <Kind>
  static constexpr Handler rows = lane_rows<Builtin>;
  template <Kind>
  static constexpr Handler scalar = lane_zero<Builtin>;
};
template <>
struct Handlers<GlobalId> : AnyKind<global_id_rows> {
  template <Kind>
  static constexpr Handler scalar = lane_zero<GlobalId>;
};
template <>
struct Handlers<LocalId> : AnyKind<local_id_rows> {
  template <Kind>
  static constexpr Handler scalar = lane_zero<LocalId>;
};

}  // namespace

void fill_builtin(HandlerTable& table) {
#define TRANSPIRE_SPECIAL(name, shape, signature, imm, kinds, cheap, flags, meaning) \
  fill_special<Handlers<name>, Op::k##name, (kinds)>(table);
#include "vm/ops/builtin.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
