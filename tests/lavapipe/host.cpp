// Dispatches a compute shader on the first Vulkan device that is there.
//
//     transpire_vulkan_host subgroup-size
//     transpire_vulkan_host MODULE ENTRY X Y Z RESOURCE...
//
// X, Y and Z are numbers of groups. A RESOURCE is one of
//
//     storage SET BINDING FILE   a buffer with the file's bytes, which are replaced by those that the shader leaves
//     uniform SET BINDING FILE   a uniform buffer
//     push FILE                  the push constants
//     spec ID HEX                the bytes of a specialisation constant, in hexadecimal digits
//
// It ends with 77 where there is no device, or where the device lacks what the module asks for.
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
  std::uint32_t set, binding;
  vk::DescriptorType type;
  std::string path;
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
      const std::uint32_t set = number(), binding = number();
      dispatch.resources.push_back({set, binding,
                                    kind == "uniform" ? vk::DescriptorType::eUniformBuffer
                                                      : vk::DescriptorType::eStorageBuffer,
                                    next()});
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

struct Buffer {
  vk::raii::Buffer buffer;
  vk::raii::DeviceMemory memory;
  std::size_t size;
};

Buffer make_buffer(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                   const Bytes& bytes, vk::BufferUsageFlags usage) {
  vk::raii::Buffer buffer(device, vk::BufferCreateInfo({}, bytes.size(), usage));
  const vk::MemoryRequirements needs = buffer.getMemoryRequirements();
  const vk::PhysicalDeviceMemoryProperties types = physical.getMemoryProperties();
  const vk::MemoryPropertyFlags wanted =
      vk::MemoryPropertyFlagBits::eHostVisible | vk::MemoryPropertyFlagBits::eHostCoherent;
  std::uint32_t type = 0;
  while ((needs.memoryTypeBits >> type & 1) == 0 ||
         (types.memoryTypes[type].propertyFlags & wanted) != wanted)
    ++type;
  vk::raii::DeviceMemory memory(device, vk::MemoryAllocateInfo(needs.size, type));
  buffer.bindMemory(*memory, 0);
  std::memcpy(memory.mapMemory(0, bytes.size()), bytes.data(), bytes.size());
  memory.unmapMemory();
  return {std::move(buffer), std::move(memory), bytes.size()};
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

void submit(const vk::raii::Device& device, vk::Pipeline pipeline, vk::PipelineLayout layout,
            const std::vector<vk::DescriptorSet>& sets, const Dispatch& dispatch) {
  const vk::raii::CommandPool commands_pool(device, vk::CommandPoolCreateInfo({}, 0));
  const vk::raii::CommandBuffer commands = std::move(vk::raii::CommandBuffers(
      device,
      vk::CommandBufferAllocateInfo(*commands_pool, vk::CommandBufferLevel::ePrimary, 1))[0]);
  commands.begin(vk::CommandBufferBeginInfo());
  commands.bindPipeline(vk::PipelineBindPoint::eCompute, pipeline);
  if (!sets.empty())
    commands.bindDescriptorSets(vk::PipelineBindPoint::eCompute, layout, 0, sets, {});
  if (!dispatch.push.empty())
    commands.pushConstants<char>(layout, vk::ShaderStageFlagBits::eCompute, 0, dispatch.push);
  commands.dispatch(dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
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
  std::map<std::uint32_t, std::vector<vk::DescriptorSetLayoutBinding>> bindings;
  std::vector<Buffer> buffers;
  std::vector<vk::DescriptorPoolSize> pool_sizes;
  for (const Resource& resource : dispatch.resources) {
    bindings[resource.set].emplace_back(resource.binding, resource.type, 1,
                                        vk::ShaderStageFlagBits::eCompute);
    pool_sizes.emplace_back(resource.type, 1);
    buffers.push_back(make_buffer(physical, device, read_file(resource.path),
                                  resource.type == vk::DescriptorType::eUniformBuffer
                                      ? vk::BufferUsageFlagBits::eUniformBuffer
                                      : vk::BufferUsageFlagBits::eStorageBuffer));
  }
  std::vector<vk::raii::DescriptorSetLayout> layouts;
  std::vector<vk::DescriptorSetLayout> plain_layouts;
  for (std::uint32_t set = 0; !bindings.empty() && set <= bindings.rbegin()->first; ++set) {
    layouts.emplace_back(device, vk::DescriptorSetLayoutCreateInfo({}, bindings[set]));
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
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Resource& resource = dispatch.resources[i];
    const vk::DescriptorBufferInfo info(*buffers[i].buffer, 0, VK_WHOLE_SIZE);
    device.updateDescriptorSets(
        vk::WriteDescriptorSet(sets[resource.set], resource.binding, 0, resource.type, {}, info),
        {});
  }

  submit(device, *pipeline, *layout, sets, dispatch);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (dispatch.resources[i].type == vk::DescriptorType::eUniformBuffer) continue;
    std::ofstream(dispatch.resources[i].path, std::ios::binary)
        .write(static_cast<const char*>(buffers[i].memory.mapMemory(0, buffers[i].size)),
               static_cast<std::streamsize>(buffers[i].size));
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
