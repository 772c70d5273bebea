#include "inspect/shadow.h"

namespace transpire::inspect {

Cell& Cell::operator=(const Cell& other) {
  write = other.write;
  reads = other.reads;
  more = other.more ? std::make_unique<More>(*other.more) : nullptr;
  return *this;
}

Shadow::Page* Shadow::page_of(std::uint64_t address) {
  const std::uint64_t number = address / kPageBytes;
  if (number == last_) return last_page_;
  std::unique_ptr<Page>& page = pages_[number];
  if (page == nullptr) {
    const std::uint64_t bytes = sizeof(Page) + kPageBytes / 4 * sizeof(Cell);
    if (used_bytes_ + bytes > max_bytes_) {
      pages_.erase(number);
      return nullptr;
    }
    used_bytes_ += bytes;
    page = std::make_unique<Page>();
    page->cells.resize(kPageBytes / 4);
  }
  last_ = number;
  last_page_ = page.get();
  return last_page_;
}

/// What is known of a word is known of each of its bytes.
void Shadow::split(Page& page) {
  std::vector<Cell> cells(kPageBytes);
  for (std::size_t i = 0; i < kPageBytes; ++i) cells[i] = page.cells[i / page.cell_bytes];
  used_bytes_ += (kPageBytes - page.cells.size()) * sizeof(Cell);
  page.cells = std::move(cells);
  page.cell_bytes = 1;
}

void Shadow::clear() {
  pages_.clear();
  used_bytes_ = 0;
  last_ = ~std::uint64_t{0};
  last_page_ = nullptr;
}

}  // namespace transpire::inspect
