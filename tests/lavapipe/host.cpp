// Dispatches a compute shader on the first Vulkan device that is there.
//
//     transpire_vulkan_host subgroup-size
//     transpire_vulkan_host MODULE ENTRY X Y Z RESOURCE...
//
// X, Y and Z are numbers of groups. A RESOURCE is one of the following; PLACE is SET BINDING INDEX, and INDEX that of an array's element, else 0.
//
//     storage PLACE FILE   a buffer with the file's bytes, which are replaced by those that the shader leaves
//     uniform PLACE FILE   a uniform buffer
//     USE PLACE VIEW FORMAT WIDTH HEIGHT DEPTH LAYERS FILE
//         an image, whose texels are the file's. USE is storage_image, sampled_image, storage_texels or uniform_texels; VIEW and FORMAT are
//         numbers of VkImageViewType and VkFormat.
//     sampler PLACE FILTER ADDRESS UNNORMALIZED COMPARE BORDER
//         numbers of VkFilter and VkSamplerAddressMode, 0 or 1, a number of VkCompareOp or -1, and one of VkBorderColor. With a sampled_image
//         of the same place it is a combined image sampler.
//     push FILE            the push constants
//     spec ID HEX          the bytes of a specialisation constant, in hexadecimal digits
//
// It ends with 77 where there is no device, or where the device lacks what the module asks for.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
#include <vulkan/vulkan_raii.hpp>

namespace {

using Bytes = std::vector<char>;

struct Resource {
  std::string kind;
  std::uint32_t set, binding, index;
  std::string path;  ///< none for samplers
  vk::ImageViewType view{};
  vk::Format format{};
  vk::Extent3D size{};
  std::uint32_t layers = 1;
  vk::SamplerCreateInfo sampler{};

  bool is_image() const { return kind == "storage_image" || kind == "sampled_image"; }
  bool is_written() const { return kind.starts_with("storage"); }
};

struct Dispatch {
  Bytes module;
  std::string entry;
  std::uint32_t groups[3];
  std::vector<Resource> resources;
  Bytes push;
  std::vector<vk::SpecializationMapEntry> constants;
  Bytes constants_bytes;
};

Bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

Dispatch parse(const std::vector<std::string>& words) {
  std::size_t at = 0;
  const auto next = [&] { return words.at(at++); };
  const auto number = [&] { return static_cast<std::uint32_t>(std::stoul(next())); };
  Dispatch dispatch;
  dispatch.module = read_file(next());
  dispatch.entry = next();
  for (std::uint32_t& groups : dispatch.groups) groups = number();
  while (at < words.size()) {
    const std::string kind = next();
    if (kind == "push") {
      dispatch.push = read_file(next());
    } else if (kind == "spec") {
      const std::uint32_t id = number();
      const std::string digits = next();
      dispatch.constants.push_back(
          {id, static_cast<std::uint32_t>(dispatch.constants_bytes.size()), digits.size() / 2});
      for (std::size_t i = 0; i < digits.size(); i += 2)
        dispatch.constants_bytes.push_back(
            static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
    } else {
      Resource resource{kind, number(), number(), number(), {}};
      if (kind == "sampler") {
        const auto filter = static_cast<vk::Filter>(number());
        const auto address = static_cast<vk::SamplerAddressMode>(number());
        const bool unnormalised = number() != 0;
        const int compare = std::stoi(next());
        const auto border = static_cast<vk::BorderColor>(number());
        resource.sampler = vk::SamplerCreateInfo(
            {}, filter, filter, vk::SamplerMipmapMode::eNearest, address, address, address, 0,
            false, 1, compare >= 0,
            compare < 0 ? vk::CompareOp::eNever : static_cast<vk::CompareOp>(compare), 0, 0, border,
            unnormalised);
      } else {
        if (kind != "storage" && kind != "uniform") {
          resource.view = static_cast<vk::ImageViewType>(number());
          resource.format = static_cast<vk::Format>(number());
          resource.size.width = number(), resource.size.height = number(),
          resource.size.depth = number();
          resource.layers = number();
        }
        resource.path = next();
      }
      dispatch.resources.push_back(std::move(resource));
    }
  }
  return dispatch;
}

/// All features that the device has: each module finds those that it asks for.
struct Features {
  vk::StructureChain<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan11Features,
                     vk::PhysicalDeviceVulkan12Features, vk::PhysicalDeviceVulkan13Features>
      chain;
  explicit Features(const vk::raii::PhysicalDevice& device)
      : chain(device.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan11Features,
                                  vk::PhysicalDeviceVulkan12Features,
                                  vk::PhysicalDeviceVulkan13Features>()) {}
};

/// The memory types that are wanted: all of this device's processors and host share.
vk::raii::DeviceMemory allocate(const vk::raii::PhysicalDevice& physical,
                                const vk::raii::Device& device, const vk::MemoryRequirements& needs,
                                vk::MemoryPropertyFlags wanted) {
  const vk::PhysicalDeviceMemoryProperties types = physical.getMemoryProperties();
  std::uint32_t type = 0;
  while ((needs.memoryTypeBits >> type & 1) == 0 ||
         (types.memoryTypes[type].propertyFlags & wanted) != wanted)
    ++type;
  return {device, vk::MemoryAllocateInfo(needs.size, type)};
}

/// A resource in the device's memory: a buffer, which images are copied from and to, and what the kind needs besides.
struct Held {
  std::size_t size = 0;
  vk::raii::Buffer buffer = nullptr;
  vk::raii::DeviceMemory memory = nullptr;
  vk::raii::BufferView texels = nullptr;
  vk::raii::Image image = nullptr;
  vk::raii::DeviceMemory image_memory = nullptr;
  vk::raii::ImageView view = nullptr;
  vk::raii::Sampler sampler = nullptr;
};

bool is_depth(vk::Format format) {
  return format == vk::Format::eD32Sfloat || format == vk::Format::eD16Unorm;
}

vk::ImageAspectFlags aspect_of(vk::Format format) {
  return is_depth(format) ? vk::ImageAspectFlagBits::eDepth : vk::ImageAspectFlagBits::eColor;
}

void hold_image(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                const Resource& resource, Held& held) {
  const bool is_cube =
      resource.view == vk::ImageViewType::eCube || resource.view == vk::ImageViewType::eCubeArray;
  const vk::ImageType type =
      resource.view == vk::ImageViewType::e1D || resource.view == vk::ImageViewType::e1DArray
          ? vk::ImageType::e1D
      : resource.view == vk::ImageViewType::e3D ? vk::ImageType::e3D
                                                : vk::ImageType::e2D;
  const vk::ImageUsageFlags use =
      resource.is_written() ? vk::ImageUsageFlagBits::eStorage : vk::ImageUsageFlagBits::eSampled;
  held.image = {
      device,
      vk::ImageCreateInfo(
          is_cube ? vk::ImageCreateFlagBits::eCubeCompatible : vk::ImageCreateFlags(), type,
          resource.format, resource.size, 1, resource.layers, vk::SampleCountFlagBits::e1,
          vk::ImageTiling::eOptimal,
          use | vk::ImageUsageFlagBits::eTransferSrc | vk::ImageUsageFlagBits::eTransferDst)};
  held.image_memory = allocate(physical, device, held.image.getMemoryRequirements(), {});
  held.image.bindMemory(*held.image_memory, 0);
  held.view = {device,
               vk::ImageViewCreateInfo({}, *held.image, resource.view, resource.format, {},
                                       {aspect_of(resource.format), 0, 1, 0, resource.layers})};
}

Held hold(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
          const Resource& resource) {
  Held held;
  if (resource.kind == "sampler") {
    held.sampler = {device, resource.sampler};
    return held;
  }
  const Bytes bytes = read_file(resource.path);
  held.size = bytes.size();
  using Use = vk::BufferUsageFlagBits;
  held.buffer = {device, vk::BufferCreateInfo(
                             {}, bytes.size(),
                             Use::eStorageBuffer | Use::eUniformBuffer | Use::eStorageTexelBuffer |
                                 Use::eUniformTexelBuffer | Use::eTransferSrc | Use::eTransferDst)};
  held.memory = allocate(
      physical, device, held.buffer.getMemoryRequirements(),
      vk::MemoryPropertyFlagBits::eHostVisible | vk::MemoryPropertyFlagBits::eHostCoherent);
  held.buffer.bindMemory(*held.memory, 0);
  std::memcpy(held.memory.mapMemory(0, bytes.size()), bytes.data(), bytes.size());
  held.memory.unmapMemory();
  if (resource.is_image())
    hold_image(physical, device, resource, held);
  else if (resource.kind.ends_with("texels"))
    held.texels = {device,
                   vk::BufferViewCreateInfo({}, *held.buffer, resource.format, 0, VK_WHOLE_SIZE)};
  return held;
}

using Place = std::array<std::uint32_t, 2>;  ///< set, binding

/// The type of the descriptors at a place: an image and a sampler together are a combined one.
std::map<Place, vk::DescriptorType> types_of(const std::vector<Resource>& resources) {
  static const std::map<std::string, vk::DescriptorType> kTypes = {
      {"storage", vk::DescriptorType::eStorageBuffer},
      {"uniform", vk::DescriptorType::eUniformBuffer},
      {"storage_image", vk::DescriptorType::eStorageImage},
      {"sampled_image", vk::DescriptorType::eSampledImage},
      {"storage_texels", vk::DescriptorType::eStorageTexelBuffer},
      {"uniform_texels", vk::DescriptorType::eUniformTexelBuffer},
      {"sampler", vk::DescriptorType::eSampler},
  };
  std::map<Place, vk::DescriptorType> types;
  for (const Resource& resource : resources) {
    const vk::DescriptorType type = kTypes.at(resource.kind);
    const auto [entry, is_new] = types.try_emplace({resource.set, resource.binding}, type);
    if (!is_new && entry->second != type) entry->second = vk::DescriptorType::eCombinedImageSampler;
  }
  return types;
}

vk::raii::Pipeline make_pipeline(const vk::raii::Device& device, vk::PipelineLayout layout,
                                 const Dispatch& dispatch) {
  const vk::raii::ShaderModule module(
      device,
      vk::ShaderModuleCreateInfo({}, dispatch.module.size(),
                                 reinterpret_cast<const std::uint32_t*>(dispatch.module.data())));
  const vk::SpecializationInfo constants(static_cast<std::uint32_t>(dispatch.constants.size()),
                                         dispatch.constants.data(), dispatch.constants_bytes.size(),
                                         dispatch.constants_bytes.data());
  return {device, nullptr,
          vk::ComputePipelineCreateInfo(
              {},
              vk::PipelineShaderStageCreateInfo({}, vk::ShaderStageFlagBits::eCompute, *module,
                                                dispatch.entry.c_str(), &constants),
              layout)};
}

/// All that came before is done, and seen by what follows.
void wait_for_all(const vk::raii::CommandBuffer& commands) {
  const vk::AccessFlags all = vk::AccessFlagBits::eMemoryRead | vk::AccessFlagBits::eMemoryWrite;
  commands.pipelineBarrier(vk::PipelineStageFlagBits::eAllCommands,
                           vk::PipelineStageFlagBits::eAllCommands, {}, vk::MemoryBarrier(all, all),
                           {}, {});
}

/// Fills the images from their buffers, or the buffers from the images.
void copy_images(const vk::raii::CommandBuffer& commands, const std::vector<Resource>& resources,
                 const std::vector<Held>& held, bool fill) {
  constexpr vk::ImageLayout kLayout = vk::ImageLayout::eGeneral;
  if (!fill) wait_for_all(commands);
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const Resource& resource = resources[i];
    if (!resource.is_image()) continue;
    const vk::ImageAspectFlags aspect = aspect_of(resource.format);
    const vk::BufferImageCopy whole(0, 0, 0, {aspect, 0, 0, resource.layers}, {}, resource.size);
    if (!fill) {
      commands.copyImageToBuffer(*held[i].image, kLayout, *held[i].buffer, whole);
      continue;
    }
    const vk::ImageMemoryBarrier to_layout({}, vk::AccessFlagBits::eTransferWrite,
                                           vk::ImageLayout::eUndefined, kLayout, 0, 0,
                                           *held[i].image, {aspect, 0, 1, 0, resource.layers});
    commands.pipelineBarrier(vk::PipelineStageFlagBits::eTopOfPipe,
                             vk::PipelineStageFlagBits::eTransfer, {}, {}, {}, to_layout);
    commands.copyBufferToImage(*held[i].buffer, *held[i].image, kLayout, whole);
  }
  wait_for_all(commands);
}

/// Descriptors of one place and index: an image and its sampler may be two resources.
void write_descriptors(const vk::raii::Device& device, const std::vector<vk::DescriptorSet>& sets,
                       const Dispatch& dispatch, const std::vector<Held>& held) {
  const std::map<Place, vk::DescriptorType> types = types_of(dispatch.resources);
  std::map<std::array<std::uint32_t, 3>, vk::DescriptorImageInfo> images;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const Resource& resource = dispatch.resources[i];
    const vk::DescriptorType type = types.at({resource.set, resource.binding});
    vk::DescriptorImageInfo& image = images[{resource.set, resource.binding, resource.index}];
    if (resource.is_image())
      image.setImageView(*held[i].view).setImageLayout(vk::ImageLayout::eGeneral);
    if (resource.kind == "sampler") image.setSampler(*held[i].sampler);
    const bool is_half =
        type == vk::DescriptorType::eCombinedImageSampler && (!image.sampler || !image.imageView);
    if (is_half) continue;
    const vk::DescriptorBufferInfo buffer(*held[i].buffer, 0, VK_WHOLE_SIZE);
    const vk::BufferView texels = *held[i].texels;
    device.updateDescriptorSets(
        vk::WriteDescriptorSet(sets[resource.set], resource.binding, resource.index, 1, type,
                               &image, &buffer, &texels),
        {});
  }
}

void submit(const vk::raii::Device& device, vk::Pipeline pipeline, vk::PipelineLayout layout,
            const std::vector<vk::DescriptorSet>& sets, const Dispatch& dispatch,
            const std::vector<Held>& held) {
  const vk::raii::CommandPool commands_pool(device, vk::CommandPoolCreateInfo({}, 0));
  const vk::raii::CommandBuffer commands = std::move(vk::raii::CommandBuffers(
      device,
      vk::CommandBufferAllocateInfo(*commands_pool, vk::CommandBufferLevel::ePrimary, 1))[0]);
  commands.begin(vk::CommandBufferBeginInfo());
  copy_images(commands, dispatch.resources, held, true);
  commands.bindPipeline(vk::PipelineBindPoint::eCompute, pipeline);
  if (!sets.empty())
    commands.bindDescriptorSets(vk::PipelineBindPoint::eCompute, layout, 0, sets, {});
  if (!dispatch.push.empty())
    commands.pushConstants<char>(layout, vk::ShaderStageFlagBits::eCompute, 0, dispatch.push);
  commands.dispatch(dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
  copy_images(commands, dispatch.resources, held, false);
  commands.end();
  const vk::raii::Queue queue(device, 0, 0);
  queue.submit(vk::SubmitInfo({}, {}, *commands));
  queue.waitIdle();
}

vk::raii::Device make_device(const vk::raii::PhysicalDevice& physical) {
  const Features features(physical);
  const float priority = 1;
  const vk::DeviceQueueCreateInfo queue({}, 0, 1, &priority);
  return {physical, vk::DeviceCreateInfo({}, queue, {}, {}, nullptr,
                                         &features.chain.get<vk::PhysicalDeviceFeatures2>())};
}

void run(const vk::raii::PhysicalDevice& physical, const Dispatch& dispatch) {
  const vk::raii::Device device = make_device(physical);
  std::map<Place, std::uint32_t> counts;
  std::vector<Held> held;
  for (const Resource& resource : dispatch.resources) {
    std::uint32_t& count = counts[{resource.set, resource.binding}];
    count = std::max(count, resource.index + 1);
    held.push_back(hold(physical, device, resource));
  }
  std::map<std::uint32_t, std::vector<vk::DescriptorSetLayoutBinding>> bindings;
  std::vector<vk::DescriptorPoolSize> pool_sizes;
  for (const auto& [place, type] : types_of(dispatch.resources)) {
    bindings[place[0]].emplace_back(place[1], type, counts[place],
                                    vk::ShaderStageFlagBits::eCompute);
    pool_sizes.emplace_back(type, counts[place]);
  }
  std::vector<vk::raii::DescriptorSetLayout> layouts;
  std::vector<vk::DescriptorSetLayout> plain_layouts;
  for (std::uint32_t set = 0; !bindings.empty() && set <= bindings.rbegin()->first; ++set) {
    const std::vector<vk::DescriptorBindingFlags> flags(
        bindings[set].size(), vk::DescriptorBindingFlagBits::ePartiallyBound);
    const vk::DescriptorSetLayoutBindingFlagsCreateInfo partly(flags);
    layouts.emplace_back(device, vk::DescriptorSetLayoutCreateInfo({}, bindings[set], &partly));
    plain_layouts.push_back(*layouts.back());
  }
  const vk::PushConstantRange range(vk::ShaderStageFlagBits::eCompute, 0,
                                    static_cast<std::uint32_t>(dispatch.push.size()));
  const vk::raii::PipelineLayout layout(
      device,
      vk::PipelineLayoutCreateInfo({}, static_cast<std::uint32_t>(plain_layouts.size()),
                                   plain_layouts.data(), dispatch.push.empty() ? 0 : 1, &range));
  const vk::raii::Pipeline pipeline = make_pipeline(device, *layout, dispatch);

  vk::raii::DescriptorPool pool = nullptr;
  std::vector<vk::raii::DescriptorSet> owned_sets;  // they go before the pool
  std::vector<vk::DescriptorSet> sets;
  if (!plain_layouts.empty()) {
    if (pool_sizes.empty()) pool_sizes.emplace_back(vk::DescriptorType::eStorageBuffer, 1);
    pool = {device, vk::DescriptorPoolCreateInfo(
                        vk::DescriptorPoolCreateFlagBits::eFreeDescriptorSet,
                        static_cast<std::uint32_t>(plain_layouts.size()), pool_sizes)};
    owned_sets = device.allocateDescriptorSets(vk::DescriptorSetAllocateInfo(*pool, plain_layouts));
    for (const vk::raii::DescriptorSet& set : owned_sets) sets.push_back(*set);
  }
  write_descriptors(device, sets, dispatch, held);
  submit(device, *pipeline, *layout, sets, dispatch, held);
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (!dispatch.resources[i].is_written()) continue;
    std::ofstream(dispatch.resources[i].path, std::ios::binary)
        .write(static_cast<const char*>(held[i].memory.mapMemory(0, held[i].size)),
               static_cast<std::streamsize>(held[i].size));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const vk::raii::Context context;
    const vk::ApplicationInfo application("transpire_vulkan_host", 1, nullptr, 0,
                                          VK_API_VERSION_1_3);
    const vk::raii::Instance instance(context, vk::InstanceCreateInfo({}, &application));
    const vk::raii::PhysicalDevices devices(instance);
    if (devices.empty()) return 77;
    if (argc == 2 && std::strcmp(argv[1], "subgroup-size") == 0) {
      const auto properties = devices[0]
                                  .getProperties2<vk::PhysicalDeviceProperties2,
                                                  vk::PhysicalDeviceSubgroupProperties>();
      std::printf("%u\n", properties.get<vk::PhysicalDeviceSubgroupProperties>().subgroupSize);
      return 0;
    }
    run(devices[0], parse({argv + 1, argv + argc}));
  } catch (const vk::FeatureNotPresentError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 77;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
