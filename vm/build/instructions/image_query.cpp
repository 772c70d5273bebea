// Queries of images: SPIR-V "Image Instructions", OpImageQuery*.
#include "vm/build/image_shape.h"
#include "vm/build/instructions/image.h"
#include "vm/build/instructions/image_operand.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder::image {
namespace {

constexpr std::uint64_t kFaces = 6;  ///< layers of a cube

/// Defines the components of the result from `queries`.
void define_queries(Builder& b, const Instruction& i, const Accessed& image, ValueId level,
                    std::span<const ImageQuery> queries) {
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !b.expect(kinds.size() == queries.size() && is_int(kinds[0]),
                              "a query's result has not as many integers as are asked for"))
    return;
  ValueList results;
  for (ImageQuery one : queries) {
    const bool is_cube = image.type->image.dim == spv::Dim::Cube;
    one.dimensions = image_dimensions(image.type->image.dim);
    one.arrayed = image.type->image.arrayed || is_cube;
    ValueId found = query(b, image.handles[0], level, one);
    if (is_cube && one.what == ImageQuery::What::kLayers)
      found = b.ops.emit(Op::kUDiv, {found, b.ops.constant(Kind::kI32, kFaces)});
    results.push_back(b.ops.resize(found, kinds[0], false));
  }
  b.ids.define(i, std::move(results));
}

void query_one(Builder& b, const Instruction& i, ImageQuery::What what) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  if (!image) return;
  const ImageQuery one[] = {{what}};
  define_queries(b, i, *image, b.ops.constant(Kind::kI32, 0), one);
}

void query_sizes(Builder& b, const Instruction& i, const Accessed& image, ValueId level) {
  std::vector<ImageQuery> queries;
  for (std::uint8_t d = 0; d < image_dimensions(image.type->image.dim); ++d)
    queries.push_back({ImageQuery::What::kSize, d});
  if (image.type->image.arrayed) queries.push_back({ImageQuery::What::kLayers});
  define_queries(b, i, image, level, queries);
}

}  // namespace

ValueId query(Builder& b, ValueId image, ValueId level, ImageQuery query) {
  lir::Value value;
  value.op = Op::kImageQuery;
  value.kind = value.from = Kind::kI32;
  value.imm = query.encode();
  value.args = {image, level};
  return b.writer.place(std::move(value));
}

void query_size_lod(Builder& b, const Instruction& i, Op) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  const ValueId level = b.ids.scalar_operand(i, 1);
  if (image && !b.failed() && b.expect(is_int(b.ops.kind_of(level)), "a level is an integer"))
    query_sizes(b, i, *image, b.ops.resize(level, Kind::kI32, false));
}

void query_size(Builder& b, const Instruction& i, Op) {
  const auto image = accessed(b, i, Type::Kind::kImage);
  if (image) query_sizes(b, i, *image, b.ops.constant(Kind::kI32, 0));
}

void query_format(Builder& b, const Instruction& i, Op) {
  query_one(b, i, ImageQuery::What::kFormat);
}
void query_order(Builder& b, const Instruction& i, Op) {
  query_one(b, i, ImageQuery::What::kOrder);
}
void query_levels(Builder& b, const Instruction& i, Op) {
  query_one(b, i, ImageQuery::What::kLevels);
}
void query_samples(Builder& b, const Instruction& i, Op) {
  query_one(b, i, ImageQuery::What::kSamples);
}

}  // namespace transpire::vm::builder::image
