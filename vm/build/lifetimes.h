// Lifetimes: how long private variables live. A variable of the kernel itself lives as long as the work-item,
// unless the module says otherwise (OpLifetimeStart, OpLifetimeStop); one of a called function ends
// when that returns. The end is only noted where a pointer to the variable may still be about then.
#pragma once

#include <unordered_map>

#include "vm/build/block_orders.h"
#include "vm/build/private_variables.h"

namespace transpire::vm::builder {

class Lifetimes {
 public:
  Lifetimes(Core& core, BlockOrders& orders, PrivateVariables& variables)
      : request_(core.request),
        position_(core.position),
        refusals_(core.refusals),
        budget_(core.writer.budget()),
        orders_(orders),
        variables_(variables) {}

  /// Begins the lifetime of the variable that OpVariable `instruction` has just defined.
  void begin(const Instruction& instruction);
  /// Ends the lifetimes of variables of a function that returns here.
  void end(const Frame& returned);

 private:
  /// The use that a function makes of pointers to its own variable, or of a parameter.
  struct Use {
    bool is_kept = false;    ///< stored, returned, converted, ...: they may outlive the call
    bool has_start = false;  ///< an OpLifetimeStart names it
  };
  using Uses = std::unordered_map<Id, Use>;
  Uses& uses_in(const decoder::Function& function);
  void note_pointers(const Instruction& i, std::unordered_map<Id, Id>& root, Uses& uses);
  bool keeps_argument(const Instruction& call, std::size_t at);

  const Request& request_;
  const Position& position_;
  Refusals& refusals_;
  Budget& budget_;
  BlockOrders& orders_;
  PrivateVariables& variables_;
  std::unordered_map<Id, Uses> uses_;  ///< by function
  std::uint32_t depth_ = 0;
};

}  // namespace transpire::vm::builder
