// A chain of SHA-256 compressions per work-item. Exact.
// Inputs: eight random words per work-item. Output: its last digest.
#include <algorithm>
#include <bit>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kInitial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

constexpr std::uint32_t kRoundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// The next message word in place of `w[i]`, in a ring of the last 16.
std::uint32_t Schedule(std::uint32_t (&w)[16], std::uint32_t i) {
  const std::uint32_t w15 = w[(i + 1) & 15];
  const std::uint32_t w2 = w[(i + 14) & 15];
  const std::uint32_t s0 = std::rotr(w15, 7) ^ std::rotr(w15, 18) ^ (w15 >> 3);
  const std::uint32_t s1 = std::rotr(w2, 17) ^ std::rotr(w2, 19) ^ (w2 >> 10);
  return w[i] += s0 + w[(i + 9) & 15] + s1;
}

void Compress(std::uint32_t (&state)[8], std::uint32_t (&w)[16]) {
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::uint32_t first = 0; first < 64; first += 16) {
    for (std::uint32_t i = 0; i < 16; ++i) {  // unrolled, so that the ring stays in registers
      const std::uint32_t word = first == 0 ? w[i] : Schedule(w, i);
      const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const std::uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + kRoundConstants[first + i] + word;
      const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const std::uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
  }
  const std::uint32_t added[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state[i] += added[i];
}

void Reference(const std::uint32_t* seeds, std::uint32_t* digests, std::uint32_t rounds,
               std::uint32_t n) {
  for (std::uint32_t item = 0; item < n; ++item) {
    std::uint32_t state[8];
    std::copy_n(kInitial, 8, state);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      std::uint32_t block[16];
      for (std::uint32_t i = 0; i < 8; ++i) {
        block[i] = seeds[item * 8 + i] + round;
        block[i + 8] = state[i];
      }
      Compress(state, block);
    }
    std::copy_n(state, 8, digests + item * 8);
  }
}

}  // namespace

BenchCase MakeSha256(Size size) {
  const std::uint32_t n = size == Size::kFull ? 8192 : 256;
  const std::uint32_t rounds = size == Size::kFull ? 8 : 2;
  BenchCase result;
  result.kernel_file = "sha256";
  result.buffers = {ReadBuffer("seeds", RandomWords(8 * n, 1)),
                    ResultBuffer<std::uint32_t>("digests", 8 * n)};
  result.launches = {
      Launch1D("sha256", n, 64, {BufferArgument{0}, BufferArgument{1}, Scalar(rounds), Scalar(n)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<std::uint32_t>(0), set.Data<std::uint32_t>(1), rounds, n);
  };
  return result;
}

}  // namespace transpire::bench
