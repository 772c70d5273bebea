// The pages of all rules: those of base/rules/, and the validator's own, which stand beside its checks.
#include <map>

#include "base/rule.h"
#include "validator/rule.h"

namespace transpire {

const std::vector<RulePage>& rule_pages() {
  static const auto& pages = *new std::vector<RulePage>([] {
    std::vector<RulePage> all;
    for (RulePage& page : base_rule_pages()) {
      const bool last_of_validator = page.id == rule_id(Rule::kV0001);
      all.push_back(std::move(page));
      if (!last_of_validator) continue;
      for (RulePage& own : validator::validation_rule_pages()) all.push_back(std::move(own));
    }
    return all;
  }());
  return pages;
}

const RulePage* find_rule(const std::string& id) {
  static const auto& by_id = *new std::map<std::string, const RulePage*>([] {
    std::map<std::string, const RulePage*> all;
    for (const RulePage& page : rule_pages()) all.emplace(page.id, &page);
    return all;
  }());
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : found->second;
}

}  // namespace transpire
