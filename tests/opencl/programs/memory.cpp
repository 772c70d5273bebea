// Host programs with memory of all kinds: buffers, images, pipes, shared virtual memory, values.
#include "tests/opencl/programs/programs.h"

namespace transpire::test {
namespace {

Memory image_of(const Host& host, cl_image_desc desc, const cl_image_format& format,
                cl_mem_flags flags = 0, void* data = nullptr) {
  Memory image = clCreateImage(host.context, flags, &format, &desc, data, nullptr);
  CHECK(image != nullptr);
  return image;
}

cl_image_desc plane(std::size_t width, std::size_t height) {
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  return desc;
}

Memory pipe_of(const Host& host, cl_uint packet_bytes, cl_uint packets) {
  Memory pipe = clCreatePipe(host.context, 0, packet_bytes, packets, nullptr, nullptr);
  CHECK(pipe != nullptr);
  return pipe;
}

}  // namespace

/// A struct, a vector of three and small scalars by value, a null pointer: 1 launch.
HOST_PROGRAM(by_value) {
  const Kernel apply = host.kernel_of(
      R"(typedef struct { char first; double factor; short values[3]; } settings;
kernel void apply(global double* out, settings s, float3 v, uchar c, global int* nothing) {
  out[0] = s.first + s.factor * s.values[2];
  out[1] = v.x + v.y + v.z + c + (nothing == 0 ? 100 : 0);
})",
      "apply");
  struct Settings {
    cl_char first;
    cl_double factor;
    cl_short values[3];
  } settings;
  std::memset(&settings, 0, sizeof settings);
  settings.first = -3;
  settings.factor = 0.5;
  settings.values[2] = 30;
  const Memory out = host.buffer(16);
  set(apply, out, settings, cl_float3{{1, 2, 4}}, cl_uchar{200}, nullptr);
  host.launch(apply, 1);
  CHECK(host.read<double>(out, 2) == std::vector<double>{12, 307});
}

/// Buffers in the host's own memory, read-only and write-only, and a global offset: 3 launches.
HOST_PROGRAM(host_memory) {
  const Program program = host.built(
      R"(kernel void saxpy(global float* y, global const float* x, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + get_global_size(0);
}
kernel void add(global float* y) { y[get_global_id(0)] += 0.1f; })");
  float x[1000], y[1000];
  for (int i = 0; i < 1000; ++i) x[i] = static_cast<float>(i) / 3, y[i] = -1;
  const Memory bx = host.buffer(sizeof x, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, x);
  const Memory by = host.buffer(sizeof y, CL_MEM_USE_HOST_PTR, y);
  const Memory out = host.buffer(sizeof y, CL_MEM_WRITE_ONLY);
  const Kernel saxpy = host.kernel(program, "saxpy"), add = host.kernel(program, "add");
  set(saxpy, by, bx, 1.5f);
  CHECK(host.enqueue(saxpy, {900}, {}, {100}) == CL_SUCCESS);
  set(add, by);
  host.launch(add, 1000, 8);
  set(saxpy, out);
  host.launch(saxpy, 1000);
  const std::vector<float> found = host.read<float>(by, 1000);
  CHECK((found[99] == -1 + 0.1f && found[999] == 1.5f * x[999] + 900 + 0.1f));
  CHECK(host.read<float>(out, 4)[3] == 1.5f * x[3] + 1000);
}

/// A sum in local memory, given and declared, in two dimensions: 1 launch.
HOST_PROGRAM(local_memory) {
  const Kernel sum = host.kernel_of(
      R"(kernel void sum(global const uint* in, global uint* out, local uint* part, uint n) {
  local uint rows[4];
  uint x = get_local_id(0), y = get_local_id(1);
  part[y * 16 + x] = in[get_global_id(1) * get_global_size(0) + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x == 0) { rows[y] = 0; for (uint i = 0; i < n; ++i) rows[y] += part[y * 16 + i]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x == 0 && y == 0)
    out[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = rows[0] + rows[1] + rows[2] + rows[3];
})",
      "sum");
  std::vector<cl_uint> in(64 * 16);
  for (cl_uint i = 0; i < in.size(); ++i) in[i] = i;
  const Memory from = host.buffer_of(in), out = host.buffer(4 * 4 * sizeof(cl_uint));
  set(sum, from, out, Local{64 * sizeof(cl_uint)}, cl_uint{16});
  CHECK(host.enqueue(sum, {64, 16}, {16, 4}) == CL_SUCCESS);
  cl_uint total = 0;
  for (const cl_uint each : host.read<cl_uint>(out, 16)) total += each;
  CHECK(total == 1023 * 512);
}

/// Sub-buffers of one buffer, and the buffer itself, in one launch; then a lone sub-buffer: 2 launches.
HOST_PROGRAM(sub_buffers) {
  const Kernel shift = host.kernel_of(
      R"(kernel void shift(global int* to, global const int* from, global int* whole) {
  int i = get_global_id(0);
  to[i] = from[i] + 1;
  if (i == 0) whole[0] = 77;
})",
      "shift");
  std::vector<int> data(1024);
  for (int i = 0; i < 1024; ++i) data[static_cast<std::size_t>(i)] = i;
  const Memory whole = host.buffer(4096, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, data.data());
  const Memory from = sub_buffer(whole, 1024, 1024, CL_MEM_READ_ONLY);
  const Memory to = sub_buffer(whole, 2048, 1024), lone = sub_buffer(whole, 0, 128);
  set(shift, to, from, whole);
  host.launch(shift, 256);
  set(shift, to, from, lone);
  host.launch(shift, 16);
  data = host.read<int>(whole, 1024);
  CHECK((data[0] == 77 && data[512] == 257 && data[767] == 512 && data[768] == 768));
}

/// Images with gaps, in a buffer, and sampled: 2 launches. With "shared", an image and its buffer in one launch; with "svm",
/// the one with gaps is in shared virtual memory.
HOST_PROGRAM(images) {
  const Program built = host.built(
      R"(kernel void halve(read_only image2d_t in, sampler_t how, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0) % 4, get_global_id(0) / 4);
  const float2 middle = (convert_float2(at) + 0.5f) / 4;
  write_imagef(out, at, read_imagef(in, how, middle));
}
kernel void mark(write_only image1d_buffer_t line, global int* n) {
  write_imagef(line, n[0], (float4)1.0f);
})");
  constexpr cl_image_format kFormat{CL_RGBA, CL_UNORM_INT8};
  unsigned char own[8 * 64];
  auto* const pixels =
      words[0] == "svm"
          ? static_cast<unsigned char*>(clSVMAlloc(host.context, CL_MEM_READ_WRITE, 512, 0))
          : own;
  for (int i = 0; i < 512; ++i) pixels[i] = static_cast<unsigned char>(i * 7);
  cl_image_desc gaps = plane(8, 8);
  gaps.image_row_pitch = 64;
  const Memory in = image_of(host, gaps, kFormat, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, pixels);
  const Memory out = image_of(host, plane(4, 4), kFormat, CL_MEM_WRITE_ONLY);
  const Sampler how =
      clCreateSampler(host.context, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR, nullptr);
  const Kernel halve = host.kernel(built, "halve"), mark = host.kernel(built, "mark");
  set(halve, in, how, out);
  host.launch(halve, 16);

  std::vector<int> numbers(64);
  numbers[0] = 60;
  const Memory store = host.buffer_of(numbers), other = host.buffer_of(numbers);
  cl_image_desc line{};
  line.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  line.image_width = 64;
  line.mem_object = store;
  const Memory view = image_of(host, line, kFormat);
  set(mark, view, words[0] == "shared" ? store : other);
  host.launch(mark, 1);
  CHECK(host.read<int>(store, 64)[60] == -1);
}

/// A mipmap that is sampled, and one whose levels are written: 1 launch. With "beyond", of a level that is not there, too.
HOST_PROGRAM(mipmap) {
  const Kernel shrink = host.kernel_of(
      R"(kernel void shrink(read_only image2d_t in, sampler_t how, write_only image2d_t out) {
  const int l = get_global_id(0);
  write_imagef(out, (int2)(0), l, read_imagef(in, how, (float2)(0.5f), (float)l));
})",
      "shrink", "-cl-std=CL3.0");
  cl_image_desc desc = plane(4, 2);
  desc.num_mip_levels = 3;
  const Memory in = image_of(host, desc, {CL_R, CL_FLOAT}),
               out = image_of(host, desc, {CL_R, CL_FLOAT});
  constexpr std::size_t kSizes[3][3] = {{4, 2, 1}, {2, 1, 1}, {1, 1, 1}};
  for (std::size_t l = 0; l < 3; ++l) {
    const std::size_t origin[3] = {0, 0, l};
    const float color[4] = {static_cast<float>(1 << l)};
    CHECK(clEnqueueFillImage(host.queue, in, color, origin, kSizes[l], 0, nullptr, nullptr) == 0);
  }
  cl_sampler_properties list[] = {CL_SAMPLER_ADDRESSING_MODE,
                                  CL_ADDRESS_CLAMP_TO_EDGE,
                                  CL_SAMPLER_FILTER_MODE,
                                  CL_FILTER_LINEAR,
                                  CL_SAMPLER_MIP_FILTER_MODE,
                                  CL_FILTER_LINEAR,
                                  CL_SAMPLER_LOD_MIN,
                                  0x3e800000,  // 0.25
                                  CL_SAMPLER_LOD_MAX,
                                  0x3fc00000,  // 1.5
                                  0};
  const Sampler how = clCreateSamplerWithProperties(host.context, list, nullptr);
  set(shrink, in, how, out);
  host.launch(shrink, words[0] == "beyond" ? 4 : 3);
  const float expected[3] = {1.25f, 2, 3};  // levels of detail 0.25, 1 and 1.5
  for (std::size_t l = 0; l < 3; ++l) {
    const std::size_t origin[3] = {0, 0, l};
    float found = 0;
    CHECK(clEnqueueReadImage(host.queue, out, CL_TRUE, origin, kSizes[2], 0, 0, &found, 0, nullptr,
                             nullptr) == CL_SUCCESS);
    CHECK(found == expected[l]);
  }
}

/// A pipe that is filled, read from, emptied, and at last used wrongly: 4 launches.
HOST_PROGRAM(pipes) {
  const Program built = host.built(
      R"(kernel void put(write_only pipe int to, global int *failed) {
  const int value = get_global_id(0) + 1;
  if (write_pipe(to, &value) != 0) atomic_inc(failed);
}
kernel void take(read_only pipe int from, global int *to) {
  read_pipe(from, to + get_global_id(0));
}
typedef struct { int weight; char tag[3]; } Thing;
kernel void misuse(read_only pipe int empty, write_only pipe Thing things, global int *to) {
  const reserve_id_t none = reserve_read_pipe(empty, 4);
  read_pipe(empty, none, 0, to);
  const Thing thing = {7, {1, 2, 3}};
  write_pipe(things, &thing);
})",
      "-cl-std=CL3.0");
  const Memory pipe = pipe_of(host, 4, 40), things = pipe_of(host, 8, 3);
  const Memory failed = host.buffer_of(std::vector<int>(64)),
               to = host.buffer_of(std::vector<int>(64));
  const Kernel put = host.kernel(built, "put"), take = host.kernel(built, "take"),
               misuse = host.kernel(built, "misuse");
  set(put, pipe, failed);
  host.launch(put, 50, 50);
  set(take, pipe, to);
  host.launch(take, 10, 10);
  host.launch(take, 64, 64);
  set(misuse, pipe, things, to);
  host.launch(misuse, 2, 2);
  CHECK(host.read<int>(failed, 1)[0] == 10);
}

/// A pipe of pairs from one kernel to another, which leaves some of them for the next launch: 3 launches.
HOST_PROGRAM(packets_left) {
  const Program program = host.built(
      R"(kernel void put(write_only pipe int2 to, int by) {
  int2 packet = (int2)(get_global_id(0), get_global_id(0) * by);
  write_pipe(to, &packet);
}
kernel void take(read_only pipe int2 from, global int2* out) {
  read_pipe(from, out + get_global_id(0));
})",
      "-cl-std=CL3.0");
  const Kernel put = host.kernel(program, "put"), take = host.kernel(program, "take");
  const Memory pipe = pipe_of(host, sizeof(cl_int2), 20), out = host.buffer(12 * sizeof(cl_int2));
  set(put, pipe, cl_int{3});
  host.launch(put, 16, 8);
  set(take, pipe, out);
  host.launch(take, 12, 4);
  host.launch(take, 12, 4);
  const std::vector<cl_int> found = host.read<cl_int>(out, 24);
  CHECK((found[1] == 36 && found[6] == 15 && found[9] == 12 && found[23] == 33));
}

/// A linked list in shared virtual memory, entered by pointer and through a buffer: 2 launches.
HOST_PROGRAM(svm_list) {
  const Kernel sum = host.kernel_of(
      R"(struct node { global struct node* next; ulong value; };
kernel void sum(global struct node* list, global ulong* total, global struct node* last) {
  ulong t = 0;
  for (global struct node* n = list; n != 0; n = n->next) {
    t += n->value;
    n->value *= 2;
    if (n->next == 0 && last != 0) { n->next = last; last->next = 0; last = 0; }
  }
  *total = t;
})",
      "sum", "-cl-std=CL2.0");
  struct Node {
    Node* next;
    cl_ulong value;
  };
  auto* const nodes =
      static_cast<Node*>(clSVMAlloc(host.context, CL_MEM_READ_WRITE, 10 * sizeof(Node), 0));
  auto* const last =
      static_cast<Node*>(clSVMAlloc(host.context, CL_MEM_READ_WRITE, sizeof(Node), 0));
  CHECK((nodes != nullptr && last != nullptr));
  CHECK(clEnqueueSVMMap(host.queue, CL_TRUE, CL_MAP_WRITE, nodes, 10 * sizeof(Node), 0, nullptr,
                        nullptr) == CL_SUCCESS);
  for (int i = 0; i < 10; ++i)
    nodes[i] = {i == 9 ? nullptr : &nodes[i + 1], static_cast<cl_ulong>(i)};
  CHECK(clEnqueueSVMUnmap(host.queue, nodes, 0, nullptr, nullptr) == CL_SUCCESS);
  *last = {nullptr, 1000};
  const Memory total = host.buffer(sizeof(cl_ulong));
  void* used[] = {nodes, last};
  CHECK(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof used, used) == CL_SUCCESS);
  for (const bool is_first : {true, false}) {
    set(sum, Shared{nodes + 1}, total, Shared{is_first ? last : nullptr});
    host.launch(sum, 1);
    CHECK(host.read<cl_ulong>(total, 1)[0] == (is_first ? 1045u : 2090u));
  }
  clSVMFree(host.context, nodes);
  clSVMFree(host.context, last);
}

}  // namespace transpire::test
