// Elements that no kernel wrote: where a print or an unmet expectation says so.
#include "launch/runner/writers.h"

#include "tests/launch/declared.h"

namespace transpire::test {
namespace {

BoundBufferPointer start_of(const char* words) {
  auto buffer = make_buffer("y", parse_argument("y", words)->value, nullptr, 1 << 20);
  REQUIRE_MESSAGE(buffer.ok(), words);
  return *buffer;
}

ElementView whole(const BoundBufferPointer& buffer) {
  const auto bytes = buffer->memory.bytes();
  const std::uint64_t count = bytes.size() / 4;
  return {buffer, buffer->name, buffer->type, 0, count, count, bytes};
}

/// Doubt about all elements of a buffer, after the kernel ran with it.
std::string doubt_after(const char* kernel, const char* words) {
  Writers writers(module_of_declared());
  const BoundBufferPointer buffer = start_of(words);
  writers.note(*module_of_declared().kernel(kernel), {{{}, buffer}});
  const auto doubt = writers.doubt(whole(buffer), {});
  if (!doubt) return "none";
  CHECK(doubt->severity == Severity::kNote);
  return doubt->message + (doubt->notes.empty() ? "" : "; " + doubt->notes[0]);
}

/// The note on a buffer that was zeros, now has these numbers, and was expected to have others.
std::string note_after(const char* kernel, const char* found, const char* expected) {
  Writers writers(module_of_declared());
  const BoundBufferPointer buffer = start_of("uint:zero:6"), now = start_of(found);
  writers.note(*module_of_declared().kernel(kernel), {{{}, buffer}});
  std::ranges::copy(now->memory.bytes(), buffer->memory.bytes().begin());
  auto stream = ValueStream::open(parse_argument("y", expected)->value, {});
  REQUIRE_MESSAGE(stream.ok(), errors_of(stream));
  Diagnostic failure;
  writers.explain(whole(buffer), *stream, {}, failure);
  return failure.notes.empty() ? "none" : failure.notes[0];
}

TEST_CASE(
    "a print of initial values is doubted if no kernel has a store, or the values are poison") {
  CHECK(doubt_after("reader", "uint:zero:4") ==
        "nobody wrote y[0..3]; kernel 'reader' has no store to it");
  CHECK(doubt_after("reader", "uint:fill:5:1") ==
        "nobody wrote y[0]; kernel 'reader' has no store to it");
  CHECK(doubt_after("writer", "uint:zero:4") == "none");
  CHECK(doubt_after("writer", "uint:uninit:4") == "nobody wrote y[0..3]");
  CHECK(doubt_after("reader", "uint:range:0:1:4") == "none");
}

TEST_CASE("nothing is doubted before a launch, or of another buffer than the launch had") {
  Writers writers(module_of_declared());
  const BoundBufferPointer buffer = start_of("uint:uninit:4"), zeros = start_of("uint:zero:4");
  CHECK_FALSE(writers.doubt(whole(buffer), {}));
  writers.note(*module_of_declared().kernel("reader"), {{{}, buffer}});
  CHECK(writers.doubt(whole(buffer), {}));
  CHECK_FALSE(writers.doubt(whole(zeros), {}));
}

TEST_CASE("a failure names the elements that differ and have their initial value") {
  CHECK(note_after("writer", "uint:data:0,0,1,0,2,0", "uint:data:9,9,9,0,9,9") ==
        "nobody wrote y[0..1], y[5], or only what was there before the launch");
  CHECK(note_after("reader", "uint:zero:6", "uint:data:9,0,9,0,9,9") ==
        "nobody wrote y[0], y[2], y[4..5]: kernel 'reader' has no store to it");
  CHECK(note_after("reader", "uint:zero:6", "uint:data:9,0,9,0,9,0") ==
        "nobody wrote y[0], y[2], y[4]: kernel 'reader' has no store to it");
  CHECK(note_after("writer", "uint:fill:1:6", "uint:fill:2:6") == "none");
}

}  // namespace
}  // namespace transpire::test
