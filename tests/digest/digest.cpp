// Digests of what every lane-wise instruction on numbers computes of the same operands, as rows and as scalars, to
// compare machines: a line for each op and mode, in it kinds of operands and the digests of their results.
//
//     digest [--count N] [--isa NAME] [--reference] [--expect FILE]
//
// N operands (a multiple of 128) are drawn for each, from integers alone; of an op with one half as its operand all
// halves are taken besides. --expect compares with the lines of a file, made by the same program and N.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vm/exec/engine.h"
#include "vm/reference/handlers.h"
#include "vm/simd/float_mode.h"

namespace transpire::vm {
namespace {

constexpr std::size_t kBlock = 128, kRowBytes = kBlock * 8, kMostHalves = 65536;

std::size_t at(Op op) { return static_cast<std::size_t>(op); }
std::size_t at(Kind kind) { return static_cast<std::size_t>(kind); }

class Digest {
 public:
  void add(std::uint64_t bits) {
    hash_ = (hash_ ^ bits) * 0x100000001b3u;
    hash_ ^= hash_ >> 29;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// Any bits; or a float of moderate size; or a special value.
class Source {
 public:
  explicit Source(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

  std::uint64_t draw(Kind kind) {
    const std::uint64_t bits = next(), choice = next() % 8;
    if (!is_float(kind)) return choice < 3 ? bits % 67 - 33 : bits;
    const int fraction = kind == Kind::kF16 ? 10 : kind == Kind::kF32 ? 23 : 52;
    const std::uint64_t bias = kind == Kind::kF16 ? 15 : kind == Kind::kF32 ? 127 : 1023;
    const std::uint64_t sign = (bits >> 63) << (width_bits(kind) - 1);
    const std::uint64_t low = bits & ((std::uint64_t{1} << fraction) - 1);
    if (choice < 5) return sign | (bias - 8 + next() % 16) << fraction | low;
    if (choice == 5)
      return sign | (next() % (2 * bias + 2)) << fraction | (next() % 2 != 0 ? low : 0);
    return bits;
  }

 private:
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t mixed = (state_ ^ state_ >> 32) * 0xd6e8feb86659fd93u;
    return mixed ^ mixed >> 32;
  }

  std::uint64_t state_;
};

const Inst* leave(const Inst*, std::byte*, exec::Batch*) { return nullptr; }

/// One handler on blocks of operands: rows of the result and of up to three of them.
class Runner {
 public:
  Runner(Handler handler, std::uint32_t lanes, std::vector<Kind> operands, Kind result,
         std::uint64_t imm)
      : handler_(handler),
        lanes_(lanes),
        operands_(std::move(operands)),
        result_(result),
        imm_(imm) {}

  void draw(std::size_t count, Digest& digest) {
    Source source(operands_.size() * 100 + at(operands_[0]));
    for (std::size_t done = 0; done < count; done += kBlock) {
      for (std::size_t lane = 0; lane < kBlock; ++lane)
        for (std::size_t i = 0; i < operands_.size(); ++i) set(i, lane, source.draw(operands_[i]));
      run(digest);
    }
  }
  /// Of scalars: a slot holds the value, zero-extended.
  void draw_scalars(std::size_t count, Digest& digest) {
    Source source(operands_.size() * 1000 + at(operands_[0]));
    for (std::size_t done = 0; done < count; ++done) {
      for (std::size_t i = 0; i < operands_.size(); ++i) {
        const std::uint32_t unused = 64 - width_bits(operands_[i]);
        const std::uint64_t bits = source.draw(operands_[i]) << unused >> unused;
        std::memcpy(row(i + 1), &bits, 8);
      }
      exec::Batch batch{};
      const Inst code[2] = {{handler_, 0, kRowBytes, 2 * kRowBytes, 3 * kRowBytes, {imm_}},
                            {&leave, 0, 0, 0, 0, {0}}};
      for (const Inst* ip = code; ip != nullptr;) ip = ip->run(ip, rows_, &batch);
      std::uint64_t result = 0;
      std::memcpy(&result, row(0), 8);
      digest.add(result);
    }
  }
  void all_halves(Digest& digest) {
    for (std::size_t first = 0; first < kMostHalves; first += kBlock) {
      for (std::size_t lane = 0; lane < kBlock; ++lane) set(0, lane, first + lane);
      run(digest);
    }
  }

 private:
  std::byte* row(std::size_t number) { return rows_ + number * kRowBytes; }
  void set(std::size_t operand, std::size_t lane, std::uint64_t bits) {
    const std::uint32_t bytes = lane_bytes(operands_[operand]);
    std::memcpy(row(operand + 1) + lane * bytes, &bits, bytes);
  }

  void run(Digest& digest) {
    for (std::size_t first = 0; first < kBlock; first += lanes_) {
      const auto offset = [&](std::size_t i) {
        const std::size_t bytes = i < operands_.size() ? lane_bytes(operands_[i]) : 0;
        return static_cast<std::uint32_t>((i + 1) * kRowBytes + first * bytes);
      };
      exec::Batch batch{};
      std::uint64_t mask[exec::kMaxLanes / 64];
      std::fill(std::begin(mask), std::end(mask), ~std::uint64_t{0});
      std::copy(std::begin(mask), std::end(mask), batch.mask);
      const Inst code[2] = {{handler_, 0, offset(0), offset(1), offset(2), {imm_}},
                            {&leave, 0, 0, 0, 0, {0}}};
      for (const Inst* ip = code; ip != nullptr;) ip = ip->run(ip, rows_, &batch);
      for (std::size_t lane = 0; lane < lanes_; ++lane) digest.add(result(lane));
    }
  }
  std::uint64_t result(std::size_t lane) {
    std::uint64_t bits = 0;
    if (result_ == Kind::kBool) {
      std::memcpy(&bits, row(0) + lane / 64 * 8, 8);
      return bits >> lane % 64 & 1;
    }
    const std::uint32_t bytes = lane_bytes(result_);
    std::memcpy(&bits, row(0) + lane * bytes, bytes);
    return bits;
  }

  alignas(64) std::byte rows_[4 * kRowBytes] = {};
  const Handler handler_;
  const std::uint32_t lanes_;
  const std::vector<Kind> operands_;
  const Kind result_;
  const std::uint64_t imm_;
};

/// Operands and result of a lane-wise op by its shape, for a kind of operand; none for masks.
std::vector<Kind> operands_of(Shape shape, Kind kind) {
  switch (shape) {
    case Shape::kUnary:
    case Shape::kTest:
    case Shape::kFloatInt:
      return {kind};
    case Shape::kBinary:
    case Shape::kCompare:
      return {kind, kind};
    case Shape::kTernary:
      return {kind, kind, kind};
    case Shape::kIntFloat:
      return {kind, Kind::kI32};
    default:
      return {};
  }
}
Kind result_of(Shape shape, Kind kind) {
  if (shape == Shape::kFloatInt) return Kind::kI32;
  return shape == Shape::kCompare || shape == Shape::kTest ? Kind::kBool : kind;
}

/// By op and kind.
using Digests = std::map<std::pair<std::string, std::string>, std::uint64_t>;

struct Options {
  std::size_t count = 4096;
  std::string isa, expect;
  bool reference = false;
};

class Table {
 public:
  Table(const HandlerTable& table, const HandlerTable& fast, const Options& options)
      : table_(table), fast_(fast), options_(options) {}

  Digests digests() {
    for (std::size_t number = 0; number < kOpCount; ++number) {
      const Op op = static_cast<Op>(number);
      for (std::size_t kind = 0; kind < kKindCount; ++kind) {
        simple(op, static_cast<Kind>(kind));
        if (!table_.is_reference) conversions(op, static_cast<Kind>(kind));
      }
    }
    return std::move(digests_);
  }

 private:
  void simple(Op op, Kind kind) {
    const Handler handler = table_.simple[at(op)][at(kind)][kRows];
    const bool same = handler == fast_.simple[at(op)][at(kind)][kRows];
    const Shape shape = info(op).shape;
    std::vector<Kind> operands = operands_of(shape, kind);
    if (handler == nullptr || operands.empty() || (table_.is_reference && same)) return;
    Digest digest;
    const std::uint64_t modes = info(op).has(kRounds) ? 4 : 1;
    for (std::uint64_t imm = 0; imm < modes; ++imm) {
      Runner runner(handler, table_.lanes, operands, result_of(shape, kind), imm);
      runner.draw(options_.count, digest);
      if (operands.size() == 1 && kind == Kind::kF16) runner.all_halves(digest);
      Runner scalars(table_.simple[at(op)][at(kind)][kUniform], table_.lanes, operands,
                     result_of(shape, kind), imm);
      scalars.draw_scalars(options_.count / 8, digest);
    }
    add(op, kind, digest);
  }
  void conversions(Op op, Kind from) {
    Digest digest;
    bool any = false;
    for (std::size_t to = 0; to < kKindCount; ++to) {
      const Handler handler = table_.convert[at(op)][at(from)][to][0];
      if (handler == nullptr || from == Kind::kBool || static_cast<Kind>(to) == Kind::kBool)
        continue;
      any = true;
      for (std::uint64_t imm = 0; imm < (is_float(static_cast<Kind>(to)) ? 4u : 1u); ++imm)
        Runner(handler, table_.lanes, {from}, static_cast<Kind>(to), imm)
            .draw(options_.count, digest);
    }
    if (any) add(op, from, digest);
  }
  void add(Op op, Kind kind, const Digest& digest) {
    digests_[{std::string(info(op).name), std::string(kind_name(kind))}] = digest.value();
  }

  const HandlerTable& table_;
  const HandlerTable& fast_;
  const Options& options_;
  Digests digests_;
};

std::string_view mode_name(const Options& options) {
  return options.reference ? "reference" : "fast";
}

void print(const Digests& digests, const Options& options) {
  std::string_view last;
  for (const auto& [name, digest] : digests) {
    if (name.first != last)
      fmt::print("{}{} {}", last.empty() ? "" : "\n", name.first, mode_name(options));
    fmt::print(" {} {:016x}", name.second, digest);
    last = name.first;
  }
  fmt::print("\n");
}

Digests read(const Options& options) {
  std::ifstream file(options.expect);
  Digests expected;
  std::string line, op, mode, kind;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    words >> op >> mode;
    if (mode != mode_name(options)) continue;
    for (std::uint64_t digest = 0; words >> kind >> std::hex >> digest;)
      expected[{op, kind}] = digest;
  }
  return expected;
}

/// How many digests differ.
int compare(const Digests& found, const Options& options) {
  const Digests expected = read(options);
  int wrong = 0;
  for (const auto& [name, digest] : found) {
    const auto same = expected.find(name);
    if (same != expected.end() && same->second == digest) continue;
    fmt::print("{} {} {}: {}\n", name.first, name.second, mode_name(options),
               same == expected.end() ? "not expected" : "differs");
    ++wrong;
  }
  if (expected.size() != found.size()) ++wrong;
  fmt::print("{} of {} digests differ\n", wrong, expected.size());
  return wrong;
}

int run(const Options& options) {
  const FloatMode mode;
  int wrong = 0, tables = 0;
  for (const Isa isa : exec::built_isas()) {
    if (!exec::supported(isa) || (!options.isa.empty() && options.isa != isa_name(isa))) continue;
    ++tables;
    const HandlerTable& fast = exec::handlers(isa);
    const HandlerTable& table = options.reference ? exec::reference_handlers(fast) : fast;
    const Digests digests = Table(table, fast, options).digests();
    if (options.expect.empty())
      print(digests, options);
    else
      wrong += compare(digests, options);
  }
  return wrong == 0 && tables > 0 ? 0 : 1;
}

}  // namespace
}  // namespace transpire::vm

int main(int argc, char** argv) {
  transpire::vm::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--reference")
      options.reference = true;
    else if (argument == "--count" && has_value)
      options.count = (std::stoul(argv[++i]) + 127) / 128 * 128;
    else if (argument == "--isa" && has_value)
      options.isa = argv[++i];
    else if (argument == "--expect" && has_value)
      options.expect = argv[++i];
    else
      return fmt::print(stderr, "digest: what is {}?\n", argument), 2;
  }
  return transpire::vm::run(options);
}
