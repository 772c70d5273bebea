// Places phis in the registers of their sources, which saves the copies on the edges.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/emit/lifetimes.h"

namespace transpire::vm::emission {

class Coalescer {
 public:
  /// The segments in `ranges` become those of groups that share a place, each in its representative.
  Coalescer(const lir::Function& function, const LinearOrder& order, const Registers& registers,
            LiveRanges* ranges);

  /// The representative of each register's group, by register.
  std::vector<VReg> run();

  /// For assertions, after run(): true if rows at these offsets, by register, keep the rule as well.
  bool is_sound(const std::vector<std::uint32_t>& offsets) const;

 private:
  struct Candidate;
  std::vector<Candidate> candidates() const;
  void find_lifetimes(const std::vector<Candidate>& candidates);
  void find_lifetime(LifetimeAnalysis& analysis, VReg reg);
  bool may_share(VReg a, VReg b) const;
  bool destroys(const Lifetime& writer, const Lifetime& needed, VReg owner) const;
  void merge(VReg target, VReg source);
  VReg find(VReg reg) const;

  const lir::Function& f_;
  const LinearOrder& order_;
  const Registers& registers_;
  LiveRanges& ranges_;
  std::vector<Lifetime> lifetimes_;  ///< by representative, of registers that copies name
  mutable std::vector<VReg> parent_;
};

}  // namespace transpire::vm::emission
