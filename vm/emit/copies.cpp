// A copy may be made when no other still reads its target; each step takes the first such one.
#include "vm/emit/copies.h"

#include <functional>
#include <queue>
#include <unordered_map>

namespace transpire::vm::emission {
namespace {

/// The copies that are left to be made.
class CopyOrder {
 public:
  explicit CopyOrder(const std::vector<PlaceCopy>& copies)
      : copies_(copies), made_(copies.size()), saved_(copies.size()) {
    for (std::uint32_t i = 0; i < copies.size(); ++i) {
      Place& source = places_[copies[i].source];
      source.readers.push_back(i);
      ++source.reads_left;
      places_[copies[i].target].writers.push_back(i);
    }
    for (auto& [offset, place] : places_) read(place, 0);
  }

  std::vector<CopyStep> run() {
    std::vector<CopyStep> steps;
    for (std::size_t left = copies_.size(); left > 0;) {
      if (free_.empty()) {
        steps.push_back({break_cycle(), CopyStep::What::kSave});
        continue;
      }
      const std::uint32_t i = free_.top();
      free_.pop();
      made_[i] = true;
      --left;
      steps.push_back({i, saved_[i] ? CopyStep::What::kCopySaved : CopyStep::What::kCopy});
      if (!saved_[i]) read(places_[copies_[i].source], 1);
    }
    return steps;
  }

 private:
  struct Place {
    std::vector<std::uint32_t> readers, writers;  ///< copies, by number
    std::uint32_t reads_left = 0;
  };

  /// `readers` readers fewer of a place; the last one frees the copies that write there.
  void read(Place& place, std::uint32_t readers) {
    place.reads_left -= readers;
    if (place.reads_left != 0) return;
    for (const std::uint32_t writer : place.writers)
      if (!made_[writer]) free_.push(writer);
  }

  /// Only cycles are left: one target's old value moves to a temporary, from where it is read.
  std::uint32_t break_cycle() {
    while (made_[first_left_]) ++first_left_;
    Place& place = places_[copies_[first_left_].target];
    for (const std::uint32_t reader : place.readers)
      if (!made_[reader]) saved_[reader] = true;
    read(place, place.reads_left);
    return first_left_;
  }

  const std::vector<PlaceCopy>& copies_;
  std::vector<bool> made_, saved_;
  std::unordered_map<std::uint32_t, Place> places_;  ///< by offset
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_;
  std::uint32_t first_left_ = 0;
};

}  // namespace

std::vector<CopyStep> order_copies(const std::vector<PlaceCopy>& copies) {
  if (copies.size() == 1) return {{0, CopyStep::What::kCopy}};
  return CopyOrder(copies).run();
}

}  // namespace transpire::vm::emission
