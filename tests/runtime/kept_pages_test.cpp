// A watched run keeps the pages that its launch changes, and no others; from them it gets back to the launch's beginning.
#include "runtime/kept_pages.h"

#include <algorithm>
#include <cstring>

#include "runtime/watched_run.h"
#include "tests/runtime/support.h"
#include "transpire/watch.hpp"

namespace transpire::test {
namespace {

using runtime::KeptPages;
constexpr std::uint64_t kPage = KeptPages::kPageBytes;

using Bytes = std::vector<std::byte>;
constexpr std::byte kOld{7}, kNew{9};

/// Changes bytes as a launch does.
void change(KeptPages& pages, Bytes& bytes, std::uint64_t offset, std::uint64_t count) {
  pages.before_change(bytes.data() + offset, count);
  std::memset(bytes.data() + offset, int(kNew), count);
}

bool are_old(std::span<const std::byte> bytes) {
  return bytes.empty() ||
         (bytes[0] == kOld && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

TEST_CASE("only pages that change are kept, each once") {
  Bytes bytes(10 * kPage, kOld);
  KeptPages pages({bytes});
  CHECK(pages.kept_bytes() == 0);
  change(pages, bytes, 3 * kPage, 1);
  CHECK(pages.kept_bytes() == kPage);
  change(pages, bytes, 4 * kPage - 1, 1);  // the same page
  CHECK(pages.kept_bytes() == kPage);
  change(pages, bytes, 4 * kPage - 1, 2);  // and the next one
  CHECK(pages.kept_bytes() == 2 * kPage);
  change(pages, bytes, 2 * kPage - 1, 5 * kPage);
  CHECK(pages.kept_bytes() == 6 * kPage);
  pages.restore();
  CHECK(are_old(bytes));
}

TEST_CASE("the last page of a range is kept up to the range's end") {
  Bytes bytes(2 * kPage + 5, kOld);
  const std::span<std::byte> range = std::span(bytes).first(2 * kPage + 3);
  KeptPages pages({range});
  change(pages, bytes, 2 * kPage + 2, 1);
  CHECK(pages.kept_bytes() == 3);
  pages.before_change(bytes.data() + 2 * kPage + 3, 2);  // outside
  pages.before_change(bytes.data() + 2 * kPage + 2, 3);  // in part outside
  CHECK(pages.kept_bytes() == 3);
  bytes.back() = kNew;
  pages.restore();
  CHECK(are_old(range));
  CHECK(bytes.back() == kNew);
  Bytes one(1, kOld);
  KeptPages of_one({one});
  change(of_one, one, 0, 1);
  CHECK(of_one.kept_bytes() == 1);
  of_one.restore();
  CHECK(are_old(one));
}

TEST_CASE("nothing is kept of empty ranges, of empty changes, and without ranges") {
  Bytes bytes(kPage, kOld);
  KeptPages none({}), empty({std::span(bytes).first(0), std::span<std::byte>()});
  for (KeptPages* const pages : {&none, &empty}) {
    pages->before_change(bytes.data(), 1);
    pages->before_change(nullptr, 0);
    CHECK(pages->kept_bytes() == 0);
    pages->restore();
  }
  KeptPages all({bytes});
  all.before_change(bytes.data(), 0);
  CHECK(all.kept_bytes() == 0);
}

TEST_CASE("ranges that overlap share their pages, and others are told apart") {
  Bytes bytes(8 * kPage, kOld), apart(kPage, kOld);
  const std::span<std::byte> all(bytes);
  KeptPages pages({all.subspan(kPage, 3 * kPage), apart, all.subspan(kPage + 100, 10),
                   all.first(2 * kPage), all.subspan(6 * kPage)});
  change(pages, bytes, 3 * kPage + 1, 1);
  change(pages, bytes, kPage + 101, 1);
  change(pages, bytes, kPage + 99, 1);
  CHECK(pages.kept_bytes() == 2 * kPage);
  change(pages, bytes, 7 * kPage, 1);
  change(pages, apart, 0, 1);
  change(pages, bytes, 0, 1);
  CHECK(pages.kept_bytes() == 5 * kPage);
  change(pages, bytes, 5 * kPage, 1);  // in no range
  CHECK(pages.kept_bytes() == 5 * kPage);
  pages.restore();
  CHECK(bytes[5 * kPage] == kNew);
  bytes[5 * kPage] = kOld;
  CHECK(are_old(bytes));
  CHECK(are_old(apart));
}

TEST_CASE("memory comes back as often as one wants, with pages that changed later") {
  Bytes bytes(4 * kPage, kOld);
  KeptPages pages({bytes});
  for (std::uint64_t page = 0; page < 4; ++page) {
    change(pages, bytes, 0, page * kPage + 1);
    pages.restore();
    CHECK(are_old(bytes));
    CHECK(pages.kept_bytes() == (page + 1) * kPage);
  }
}

// ---- Runs -----------------------------------------------------------------------------------------

/// kernel k(global uint* a, global uint* b): b[2 * i] = a[i] + 1, then a[i] = 5
const std::string kCross = R"(
kernel k(%_ptr_CrossWorkgroup_uint a, %_ptr_CrossWorkgroup_uint b)
%from = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %a %gid
%twice = OpIAdd %ulong %gid %gid
%to = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %b %twice
%old = load %from
%sum = OpIAdd %uint %old %uint_1
store %to %sum
store %from %uint_5
)";

constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// Answers kEnd at one step or access, by its number.
class EndAt final : public Watch {
 public:
  explicit EndAt(std::uint64_t event = kNever) : event_(event) {}
  Answer step(const WatchStep&) override { return next(); }
  Answer access(const WatchAccess&) override { return next(); }

 private:
  Answer next() { return count_++ == event_ ? Answer::kEnd : Answer::kGoOn; }
  std::uint64_t event_, count_ = 0;
};

struct Cross {
  Module module = load(kCross);
  Device device = make_device();
  EndAt watch;
  Launch launch_of(const Buffer& a, const Buffer& b, std::uint64_t items) {
    Launch launch = make_launch(module, "k", items, items, a, b);
    launch.watch = &watch;
    return launch;
  }
};

/// A buffer of old bytes.
Buffer make_old(std::uint64_t bytes, const char* name) {
  Buffer buffer = make_buffer(bytes, name);
  if (bytes != 0) std::memset(buffer.bytes().data(), int(kOld), bytes);
  return buffer;
}

TEST_CASE("a run that changes two words of 64 MiB keeps two pages") {
  constexpr std::uint64_t kSize = std::uint64_t{64} << 20;
  Cross cross;
  const Buffer a = make_old(kSize, "a"), b = make_old(kSize, "b");
  runtime::WatchedRunState run(cross.device, cross.launch_of(a, b, 1));
  CHECK(run.gate().kept_bytes() == 0);
  CHECK_FALSE(run.go_on());
  CHECK(run.gate().kept_bytes() == 2 * kPage);
  CHECK(a.as<std::uint32_t>()[0] == 5);
  CHECK(run.go_to(0));
  CHECK(run.gate().kept_bytes() == 2 * kPage);
  CHECK(are_old(a.bytes()));
  CHECK(are_old(b.bytes()));
}

TEST_CASE("a run goes back over buffers of odd sizes, and beside an empty one") {
  Cross cross;
  const std::uint64_t items = kPage / 4 + 1;  // a's last page has one word, b's one byte
  const Buffer a = make_old(kPage + 4, "a"), b = make_old(2 * kPage + 5, "b");
  const Buffer empty = make_old(0, "empty");
  {
    runtime::WatchedRunState run(cross.device, cross.launch_of(a, b, items));
    CHECK_FALSE(run.go_on());
    CHECK(run.gate().kept_bytes() == a.bytes().size() + b.bytes().size());
    CHECK(b.as<std::uint32_t>()[2 * (items - 1)] == 0x07070708);
    CHECK(run.go_to(0));
    CHECK(are_old(a.bytes()));
    CHECK(are_old(b.bytes()));
  }
  runtime::WatchedRunState run(cross.device, cross.launch_of(a, empty, 1));
  CHECK_FALSE(run.go_on());  // the store to the empty buffer is refused
  CHECK(run.gate().kept_bytes() == kPage);
  CHECK(run.go_to(0));
  CHECK(are_old(a.bytes()));
}

TEST_CASE("a run goes back over two buffers with the same memory") {
  Cross cross;
  Bytes bytes(3 * kPage, kOld);
  const auto a = Buffer::wrap(std::span(bytes).first(2 * kPage), "a");
  const auto b = Buffer::wrap(std::span(bytes).subspan(kPage), "b");
  REQUIRE(a);
  REQUIRE(b);
  runtime::WatchedRunState run(cross.device, cross.launch_of(*a, *b, 2 * kPage / 4));
  CHECK_FALSE(run.go_on());
  CHECK(run.gate().kept_bytes() == bytes.size());
  const Bytes at_end = bytes;
  for (int times = 0; times < 2; ++times) {
    CHECK(run.go_to(0));
    CHECK(are_old(bytes));
    CHECK_FALSE(run.go_to(kNever));
    CHECK(bytes == at_end);
  }
}

TEST_CASE(
    "a run's beginning has what the host wrote before it, and goes over what it wrote to kept "
    "pages") {
  Cross cross;
  const Buffer a = make_buffer(16, "a"), b = make_buffer(16, "b");
  const auto words = [](const Buffer& buffer) { return buffer.as<std::uint32_t>(); };
  for (const std::uint32_t value : {10u, 20u}) {  // a run after another one
    words(a)[0] = 1;
    cross.watch = EndAt();
    runtime::WatchedRunState run(cross.device, cross.launch_of(a, b, 2));
    words(a)[0] = value;  // nothing has run yet
    CHECK_FALSE(run.go_on());
    CHECK(words(b)[0] == value + 1);
    CHECK(run.go_to(run.gate().position() - 1));
    words(a)[0] = words(b)[0] = 99;  // which nobody should do
    CHECK(run.go_to(0));
    CHECK(words(a)[0] == value);
    CHECK_FALSE(run.go_to(kNever));
    CHECK(words(a)[0] == 5);
    CHECK(words(b)[0] == value + 1);
  }
}

TEST_CASE("a run brings the bits back that the host declared undefined") {
  Cross cross;
  const Buffer a = make_old(8, "a");
  Buffer b = make_old(16, "b");
  b.set_undefined();
  Launch launch = cross.launch_of(a, b, 2);
  launch.check_uninit = true;
  runtime::WatchedRunState run(cross.device, launch);
  const auto undefined = [&] { return std::ranges::count(b.undefined_bits(), std::byte{0xff}); };
  CHECK_FALSE(run.go_on());
  CHECK(undefined() == 8);
  CHECK(run.go_to(0));
  CHECK(undefined() == 16);
}

TEST_CASE("a run goes back twice, over events where it stopped before") {
  Cross cross;
  const Buffer a = make_old(2 * kPage, "a"), b = make_old(4 * kPage, "b");
  const auto all = [&] {
    Bytes both(a.bytes().begin(), a.bytes().end());
    both.insert(both.end(), b.bytes().begin(), b.bytes().end());
    return both;
  };
  runtime::WatchedRunState run(cross.device, cross.launch_of(a, b, 2 * kPage / 4));
  CHECK_FALSE(run.go_on());
  const std::uint64_t count = run.gate().position();
  const std::uint64_t events[] = {0, count / 3, count / 2, count - 5};
  std::vector<Bytes> states;
  for (const std::uint64_t event : events) {
    CHECK(run.go_to(event));
    states.push_back(all());
  }
  CHECK(states[1] != states[2]);
  CHECK(states[2] != states[3]);
  for (const std::size_t which : {2, 1, 3, 0, 0, 2}) {
    CHECK(run.go_to(events[which]));
    CHECK(all() == states[which]);
  }
  CHECK(are_old(states[0]));
}

TEST_CASE(
    "a run goes back over the stores that an instruction makes after the watch ended the launch") {
  Cross cross;
  const Buffer a = make_old(2 * kPage, "a"), b = make_old(4 * kPage, "b");
  std::uint64_t stored = 0;
  for (std::uint64_t event = 0; stored < 2; ++event) {
    cross.watch = EndAt(event);
    runtime::WatchedRunState run(cross.device, cross.launch_of(a, b, 2));
    CHECK_FALSE(run.go_on());
    stored = static_cast<std::uint64_t>(std::ranges::count(a.as<std::uint32_t>(), 5u));
    CHECK(stored != 1);  // one instruction of both work-items
    CHECK(run.go_to(0));
    CHECK(are_old(a.bytes()));
    CHECK(are_old(b.bytes()));
  }
}

}  // namespace
}  // namespace transpire::test
