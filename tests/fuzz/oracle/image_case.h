// A random kernel that reads, samples and writes images, and what must come out, by the model of tests/memory/image_model.h,
// which shares nothing with the VM.
#pragma once

#include "memory/image.h"
#include "memory/sampler.h"
#include "tests/fuzz/oracle/harness.h"
#include "tests/memory/image_model.h"

namespace transpire::oracle {

/// An image that is read: its bytes without gaps, and the same as colors.
struct ReadImage {
  memory::ImageDim dim = memory::ImageDim::k2D;
  memory::ImageFormat format;
  int size[3] = {1, 1, 1};  ///< along each coordinate, an array's layers included
  std::vector<std::byte> bytes;
  test::image_model::Picture picture;
};

/// What a work-item does with an image.
struct ImageStep {
  enum class What : std::uint8_t { kSampleFloat, kSampleInt, kRead, kSize };
  What what{};
  std::size_t image = 0, sampler = 0;
  std::vector<float> floats;       ///< four for each work-item, of kSampleFloat
  std::vector<std::int32_t> ints;  ///< likewise, of the others
};

/// An image that each work-item writes one texel of: work-item i texel i, in x first.
struct WrittenImage {
  static constexpr int kWidth = 16;
  memory::ImageFormat format;
  int height = 1;
  std::vector<float> floats;  ///< four for each work-item, of formats whose numbers are no integers
  std::vector<std::int32_t> ints;  ///< likewise, of the others
};

struct ImageCase {
  std::uint32_t items = 1, local = 1;
  std::uint32_t item_mask = 0;  ///< not 0: work-items without a bit of it do nothing
  bool precise = false;         ///< math=reference
  std::vector<ReadImage> images;
  std::vector<memory::Sampler> samplers;
  std::vector<ImageStep> steps;
  WrittenImage written;

  bool computes(std::uint32_t item) const { return item_mask == 0 || (item & item_mask) != 0; }
};

/// Whether a format's texels are read as floats ('f'), signed ('i') or unsigned integers ('u').
char letter_of(memory::ImageFormat format);

ImageCase make_image_case(Random& random);

/// Kernel "compute": the images, the samplers, each step's coordinates, the written image, its colors, each step's results.
std::string text_of(const ImageCase& made);

/// The components of a step's result, and how far each may be off.
struct ExpectedColor {
  test::image_model::Color color{};
  double tolerance = 0;
};
ExpectedColor expected_of(const ImageCase& made, const ImageStep& step, std::uint32_t item);

/// Whether the element that a work-item wrote is right; `before`: what all of its bytes were.
bool is_written(const ImageCase& made, std::uint32_t item, const std::byte* element,
                std::byte before);

}  // namespace transpire::oracle
