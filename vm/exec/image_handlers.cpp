// Image instructions: whole rows where they can be, else lane by lane (vm/exec/image.cpp, image_block.cpp).
#include "vm/exec/handlers.h"
#include "vm/exec/image.h"
#include "vm/exec/image_rows.h"
#include "vm/exec/lanes.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

template <bool (*kRows)(const Inst*, std::byte*, Batch*),
          void (*kEach)(const Inst*, std::byte*, Batch*)>
const Inst* rows_or_each(const Inst* ip, std::byte* r, Batch* batch) {
  if (!kRows(ip, r, batch)) kEach(ip, r, batch);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

const Inst* query_rows(const Inst* ip, std::byte* r, Batch* batch) {
  const std::uint64_t* handle = row<std::uint64_t>(r, ip->a);
  const std::uint32_t* level = row<std::uint32_t>(r, ip->b);
  std::uint32_t* d = row<std::uint32_t>(r, ip->d);
  for_each_lane(batch->mask,
                [&](std::uint32_t i) { d[i] = query_image(*batch, ip->imm, handle[i], level[i]); });
  TRANSPIRE_TAIL return next(ip, r, batch);
}

const Inst* query_scalar(const Inst* ip, std::byte* r, Batch* batch) {
  std::uint64_t handle = 0;
  std::uint32_t level = 0;
  __builtin_memcpy(&handle, r + ip->a, sizeof handle);
  __builtin_memcpy(&level, r + ip->b, sizeof level);
  const std::uint64_t result = query_image(*batch, ip->imm, handle, level);
  __builtin_memcpy(r + ip->d, &result, sizeof result);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

struct ImageSample : AnyKind<rows_or_each<sample_rows, sample_image>> {};
struct ImageLevel : AnyKind<each<find_level>> {};
struct ImageRead : AnyKind<rows_or_each<read_rows, read_image>> {};
struct ImageWrite : AnyKind<rows_or_each<write_rows, write_image>> {};
struct ImageTexel : AnyKind<each<find_texel>> {};
struct ImageBlockRead : AnyKind<each<read_image_block>> {};
struct ImageBlockWrite : AnyKind<each<write_image_block>> {};
struct ImageAnnounce : AnyKind<each<announce_image>> {};
struct ImageSampleAnnounce : AnyKind<each<announce_sampled_image>> {};
struct ImageBlockAnnounce : AnyKind<each<announce_image_block>> {};
struct ImageFence : AnyKind<each<fence_images>> {};
struct ImageQuery {
  template <Kind>
  static constexpr Handler rows = query_rows;
  template <Kind>
  static constexpr Handler scalar = query_scalar;
};

}  // namespace

void fill_image(HandlerTable& table) {
#define TRANSPIRE_SPECIAL TRANSPIRE_FILL_SPECIAL
#include "vm/ops/image.def"
#undef TRANSPIRE_SPECIAL
}

}  // namespace transpire::vm::TRANSPIRE_ISA
