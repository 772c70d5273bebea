// Image instructions, lane by lane: what handlers of images do once the operands are known. The meaning of a texel and of
// a sample is memory/texel.h's and memory/sample.h's; here are handles, checks and findings.
//
// Compiled once, shared by all instruction sets. A batch's images are looked up once: lanes have the same one as a rule.
#pragma once

#include <cstdint>

#include "vm/exec/engine.h"

namespace transpire::vm::exec {

void sample_image(const Inst* ip, std::byte* r, Batch* batch);
void read_image(const Inst* ip, std::byte* r, Batch* batch);
void write_image(const Inst* ip, std::byte* r, Batch* batch);
/// Of running lanes, for --check=sync.
void fence_images(const Inst* ip, std::byte* r, Batch* batch);
void read_image_block(const Inst* ip, std::byte* r, Batch* batch);
void write_image_block(const Inst* ip, std::byte* r, Batch* batch);

/// What an ImageQuery, encoded in `imm`, asks of an image; 0 of what is none, or an image of other dimensions.
std::uint32_t query_image(const Batch& batch, std::uint64_t imm, std::uint64_t handle,
                          std::uint32_t level);

}  // namespace transpire::vm::exec
