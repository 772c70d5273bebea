// The C interface when memory runs out: each allocation of a use of the library fails in turn, and
// the function that wanted it must say so, let no exception out and lose nothing. Takes a module's
// assembly text. Text is assembled beforehand: SPIRV-Tools itself loses memory when there is none.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "decoder/module.h"
#include "transpire/transpire.h"

namespace {

constexpr long kNever = -1;
thread_local long allocations_left = kNever;  ///< until one fails
thread_local long allocations_alive = 0;

void* allocate(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  void* const made = std::malloc(size);
  if (made == nullptr) throw std::bad_alloc();
  ++allocations_alive;
  return made;
}

void release(void* made) {
  if (made != nullptr) --allocations_alive;
  std::free(made);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
// As the standard library's own do: what std::stable_sort asks for.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* made) noexcept { release(made); }
void operator delete(void* made, std::size_t) noexcept { release(made); }
void operator delete[](void* made) noexcept { release(made); }
void operator delete[](void* made, std::size_t) noexcept { release(made); }

namespace {

transpire_error* error = nullptr;
const char* worst_isa = nullptr;  ///< of this machine

/// What a use of the library makes.
struct Objects {
  transpire_module* module = nullptr;
  transpire_buffer* buffer = nullptr;
  transpire_buffer* slice = nullptr;
  transpire_device* device = nullptr;
  transpire_launch* launch = nullptr;
  transpire_result* result = nullptr;
};

using Words = std::vector<std::uint32_t>;

transpire_status use_module(const Words& words, Objects& made) {
  transpire_status status =
      transpire_module_load(words.data(), words.size() * 4, nullptr, &made.module, &error);
  if (status == TRANSPIRE_OK) status = transpire_module_check_kernel(made.module, "shapes", &error);
  return status;
}

/// Time limits too: what asks the clock must not make a difference.
transpire_status use_validation(const Words& words) {
  transpire_status status = transpire_validate(words.data(), words.size() * 4, "opencl2.2",
                                               TRANSPIRE_FIELD, nullptr, &error);
  transpire_load_options options{};
  options.struct_size = sizeof options;
  options.timeout_milliseconds = 3'600'000;
  transpire_module* module = nullptr;
  if (status == TRANSPIRE_OK)
    status = transpire_module_load(words.data(), words.size() * 4, &options, &module, &error);
  transpire_module_release(module);
  return status;
}

transpire_status use_buffers(Objects& made) {
  transpire_status status =
      transpire_buffer_create(64, "a name that is kept in memory of its own", &made.buffer, &error);
  if (status == TRANSPIRE_OK)
    status = transpire_buffer_slice(made.buffer, 8, 16, nullptr, &made.slice, &error);
  return status;
}

transpire_status use_launch(Objects& made) {
  const char value[32] = {};
  transpire_status status = transpire_device_create(worst_isa, 1, &made.device, &error);
  if (status == TRANSPIRE_OK)
    status = transpire_launch_create(made.module, "shapes", &made.launch, &error);
  if (status == TRANSPIRE_OK)
    status = transpire_launch_set_buffer(made.launch, 0, made.slice, 0, &error);
  if (status == TRANSPIRE_OK)
    status = transpire_launch_set_value(made.launch, 1, value, 16, &error);
  if (status == TRANSPIRE_OK)
    status = transpire_launch_set_value(made.launch, 2, value, 32, &error);
  if (status == TRANSPIRE_OK) status = transpire_launch_set_local(made.launch, 3, 4, &error);
  if (status == TRANSPIRE_OK)
    status = transpire_launch_run(made.launch, made.device, &made.result, &error);
  return status;
}

void release_all(const Objects& made) {
  transpire_result_release(made.result);
  transpire_launch_release(made.launch);
  transpire_device_release(made.device);
  transpire_buffer_release(made.slice);
  transpire_buffer_release(made.buffer);
  transpire_module_release(made.module);
}

/// With memory for so many allocations only.
transpire_status use(const Words& words, long allocations) {
  Objects made;
  allocations_left = allocations;
  transpire_status status = use_validation(words);
  if (status == TRANSPIRE_OK) status = use_module(words, made);
  if (status == TRANSPIRE_OK) status = use_buffers(made);
  if (status == TRANSPIRE_OK) status = use_launch(made);
  allocations_left = kNever;
  release_all(made);
  return status;
}

/// An error that finds no memory for itself either.
bool error_without_memory() {
  allocations_left = 0;
  const transpire_status status = transpire_module_get_info(nullptr, nullptr, &error);
  allocations_left = kNever;
  const bool good = status == TRANSPIRE_OUT_OF_MEMORY && transpire_error_count(error) == 0 &&
                    transpire_error_status(error) == status &&
                    std::strcmp(transpire_error_text(error), "out of memory\n") == 0;
  transpire_error_release(error);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const transpire::Result<Words> assembled = transpire::decoder::assemble(text, argv[1]);
  if (!assembled) return 2;
  const Words& words = *assembled;
  const char* const* isas = nullptr;
  std::size_t isa_count = 0;
  if (transpire_get_isas(&isas, &isa_count, &error) != TRANSPIRE_OK || isa_count == 0) return 2;
  worst_isa = isas[0];
  if (use(words, kNever) != TRANSPIRE_OK || !error_without_memory()) {
    std::puts("it fails with memory, or does not without");
    return 1;
  }
  long failed = 0;
  for (;; ++failed) {
    const long alive = allocations_alive;
    const transpire_status status = use(words, failed);
    if (status == TRANSPIRE_OK) break;
    const bool good = status == TRANSPIRE_OUT_OF_MEMORY && transpire_error_status(error) == status;
    transpire_error_release(error);
    error = nullptr;
    if (good && allocations_alive == alive) continue;
    std::printf("allocation %ld: status %d, %ld objects are lost\n", failed, status,
                allocations_alive - alive);
    return 1;
  }
  std::printf("%ld allocations failed, each was reported\n", failed);
  return failed > 100 ? 0 : 1;
}
