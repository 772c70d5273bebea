// Image instructions, lane by lane, once the operands are known: handles, checks and findings.
// memory/texel.h and memory/sample.h define the meaning of texels and samples.
//
// Compiled once, shared by all instruction sets. The image is looked up once per batch, because
// lanes usually have the same one.
#pragma once

#include <cstdint>

#include "vm/exec/engine.h"
#include "vm/observe/observer.h"

namespace transpire::vm::exec {

void sample_image(const Inst* ip, std::byte* r, Batch* batch);
/// Two floats: the level, with a fraction between two levels that are both read, and the level of detail.
void find_level(const Inst* ip, std::byte* r, Batch* batch);
void read_image(const Inst* ip, std::byte* r, Batch* batch);
void write_image(const Inst* ip, std::byte* r, Batch* batch);
/// The texels' virtual addresses; 0 where there is a finding.
void find_texel(const Inst* ip, std::byte* r, Batch* batch);
/// Fences image accesses of the running lanes, for --check=sync.
void fence_images(const Inst* ip, std::byte* r, Batch* batch);
void read_image_block(const Inst* ip, std::byte* r, Batch* batch);
void write_image_block(const Inst* ip, std::byte* r, Batch* batch);

/// With --check=race: passes observers the next access, which has the same operands, if its texels
/// may be accessed.
void announce_image(const Inst* ip, std::byte* r, Batch* batch);
void announce_sampled_image(const Inst* ip, std::byte* r, Batch* batch);
void announce_image_block(const Inst* ip, std::byte* r, Batch* batch);
/// The texel that a lane of an observed row is about to store: ObservedRow::bytes.
void stored_texel(const Batch& batch, const ObservedRow& row, std::uint32_t lane, std::byte* out);
void stored_block(const Batch& batch, const ObservedRow& row, std::uint32_t lane, std::byte* out);

/// Answers an ImageQuery, encoded in `imm`; 0 for a handle that is no image, or an image of other
/// dimensions.
std::uint32_t query_image(const Batch& batch, std::uint64_t imm, std::uint64_t handle,
                          std::uint32_t level);

}  // namespace transpire::vm::exec
