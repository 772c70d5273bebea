

#include "tests/fuzz/oracle/assembly.h"
#include "tests/fuzz/oracle/image_case.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::oracle {
namespace {

using memory::ImageDim;
using What = ImageStep::What;

std::string name_of(ImageDim dim) {
  constexpr const char* kNames[] = {"d1", "d1a", "d1b", "d2", "d2a", "d3"};
  return kNames[static_cast<std::size_t>(dim)];
}

std::string type_of(ImageDim dim, const char* access) {
  const std::uint32_t axes = memory::sampled_axes(dim);
  return fmt::format("OpTypeImage %void {}D 0 {} 0 0 Unknown {}", axes,
                     memory::is_array(dim) ? 1 : 0, access);
}

/// One kernel's text: what it declares, its parameters and its body.
class Text : Assembly {
 public:
  explicit Text(const ImageCase& made) : made_(made) {}

  std::string all() {
    declare_images();
    begin_function(fmt::format("kernel compute({})", parameters()));
    line("%i = OpUConvert %uint %gid");
    if (made_.item_mask != 0)
      line(
          "%some = OpBitwiseAnd %uint %i %uint_{}\n%runs = OpINotEqual %bool %some %uint_0\n"
          "OpSelectionMerge %done None\nOpBranchConditional %runs %work %done\n%work = OpLabel",
          made_.item_mask);
    for (std::size_t i = 0; i < made_.steps.size(); ++i) step(i);
    line("%x = OpUMod %uint %i %uint_{0}\n%y = OpUDiv %uint %i %uint_{0}", WrittenImage::kWidth);
    line("%at = OpCompositeConstruct %v2uint %x %y\n%color = load %colors[%gid]");
    line("OpImageWrite %written %at %color");
    if (made_.item_mask != 0) line("OpBranch %done\n%done = OpLabel");
    end_function();
    return shorthand::declare(short_form());
  }

 private:
  void declare_images() {
    for (const char* capability : {"ImageBasic", "Sampled1D", "Image1D"})
      global("OpCapability {}", capability);
    global("%sampler = OpTypeSampler");
    std::set<ImageDim> dims;
    for (const ReadImage& image : made_.images) dims.insert(image.dim);
    for (const ImageDim dim : dims)
      global("%{0} = {1}\n%s_{0} = OpTypeSampledImage %{0}", name_of(dim),
             type_of(dim, "ReadOnly"));
    global("%written_type = {}", type_of(ImageDim::k2D, "WriteOnly"));
  }

  /// "float" or "uint": the type of the components.
  static std::string coordinates_of(const ImageStep& step) {
    return step.what == What::kSampleFloat ? "float" : "uint";
  }
  std::string components_of(const ImageStep& step) const {
    const bool is_float =
        step.what != What::kSize && letter_of(made_.images[step.image].format) == 'f';
    return is_float ? "float" : "uint";
  }

  std::string parameters() const {
    std::string all;
    for (std::size_t i = 0; i < made_.images.size(); ++i)
      all += fmt::format("%{} image{}, ", name_of(made_.images[i].dim), i);
    for (std::size_t i = 0; i < made_.samplers.size(); ++i)
      all += fmt::format("%sampler sampler{}, ", i);
    for (std::size_t i = 0; i < made_.steps.size(); ++i)
      all += fmt::format("%_ptr_CrossWorkgroup_v4{} at{}, ", coordinates_of(made_.steps[i]), i);
    all += fmt::format("%written_type written, %_ptr_CrossWorkgroup_v4{} colors",
                       letter_of(made_.written.format) == 'f' ? "float" : "uint");
    for (std::size_t i = 0; i < made_.steps.size(); ++i)
      all += fmt::format(", %_ptr_CrossWorkgroup_v4{} out{}", components_of(made_.steps[i]), i);
    return all;
  }

  /// The coordinates that the image has, of the four that are loaded.
  std::string coordinates(std::size_t i) {
    const ImageStep& step = made_.steps[i];
    const std::string kind = coordinates_of(step), all = make("load %at{}[%gid]", i);
    switch (memory::coordinates(made_.images[step.image].dim)) {
      case 1:
        return make("OpCompositeExtract %{} {} 0", kind, all);
      case 2:
        return make("OpVectorShuffle %v2{0} {1} {1} 0 1", kind, all);
      default:
        return all;
    }
  }

  void step(std::size_t i) {
    const ImageStep& step = made_.steps[i];
    const std::string kind = components_of(step);
    std::string value;
    if (step.what == What::kSize) {
      value = size(step);
    } else if (step.what == What::kRead) {
      value = make("OpImageRead %v4{} %image{} {}", kind, step.image, coordinates(i));
    } else {
      const std::string at = coordinates(i);
      const std::string sampled =
          make("OpSampledImage %s_{} %image{} %sampler{}", name_of(made_.images[step.image].dim),
               step.image, step.sampler);
      value = make("OpImageSampleExplicitLod %v4{} {} {} Lod %float_0", kind, sampled, at);
    }
    line("store %out{}[%gid] {}", i, value);
  }

  std::string size(const ImageStep& step) {
    const std::uint32_t count = memory::coordinates(made_.images[step.image].dim);
    const std::string type = count == 1 ? "uint" : fmt::format("v{}uint", count);
    const std::string all = make("OpImageQuerySizeLod %{} %image{} %uint_0", type, step.image);
    std::string parts;
    for (std::uint32_t k = 0; k < 4; ++k)
      parts += " " + (k >= count   ? "%uint_0"
                      : count == 1 ? all
                                   : make("OpCompositeExtract %uint {} {}", all, k));
    return make("OpCompositeConstruct %v4uint{}", parts);
  }

  const ImageCase& made_;
};

}  // namespace

std::string text_of(const ImageCase& made) { return Text(made).all(); }

}  // namespace transpire::oracle
