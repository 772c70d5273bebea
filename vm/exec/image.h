// Image instructions, lane by lane: what handlers of images do once the operands are known. The meaning of a texel and of
// a sample is memory/texel.h's and memory/sample.h's; here are handles, checks and findings.
//
// Compiled once, shared by all instruction sets. A batch's images are looked up once: lanes have the same one as a rule.
#pragma once

#include <cstdint>

#include "vm/exec/engine.h"
#include "vm/observe/observer.h"

namespace transpire::vm::exec {

void sample_image(const Inst* ip, std::byte* r, Batch* batch);
void read_image(const Inst* ip, std::byte* r, Batch* batch);
void write_image(const Inst* ip, std::byte* r, Batch* batch);
/// Of running lanes, for --check=sync.
void fence_images(const Inst* ip, std::byte* r, Batch* batch);
void read_image_block(const Inst* ip, std::byte* r, Batch* batch);
void write_image_block(const Inst* ip, std::byte* r, Batch* batch);

/// With --check=race: what the access behind it, which has the same operands, does to texels that it may access.
void tell_image(const Inst* ip, std::byte* r, Batch* batch);
void tell_sampled_image(const Inst* ip, std::byte* r, Batch* batch);
void tell_image_block(const Inst* ip, std::byte* r, Batch* batch);
/// What a lane of a row that these told of is about to store: ObservedRow::bytes.
void stored_texel(const Batch& batch, const ObservedRow& row, std::uint32_t lane, std::byte* out);
void stored_block(const Batch& batch, const ObservedRow& row, std::uint32_t lane, std::byte* out);

/// What an ImageQuery, encoded in `imm`, asks of an image; 0 of what is none, or an image of other dimensions.
std::uint32_t query_image(const Batch& batch, std::uint64_t imm, std::uint64_t handle,
                          std::uint32_t level);

}  // namespace transpire::vm::exec
