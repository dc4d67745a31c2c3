// Changes of rules that certainly change no answer.
#pragma once

#include <robotrules/dialect.hpp>

#include "advice/compare/examples.hpp"
#include "advice/compare/pattern_cover.hpp"

namespace robotrules::advice {

// Moves to `common` those rules of `removed` (only the first list has them) and `added` (only the second) whose change
// changes no answer, whatever the path, such as "/a*" that is now "/a". All three lists are sorted and have no rule
// without a value in `removed` and `added`. Does nothing for a dialect that has no such proof. Rules for which the
// budget does not suffice stay where they are.
//
// Proof: give each rule of one list a partner in the other list that has the same effect and matches at least the same
// paths. If a rule that allows and a rule that disallows match a common path, and the one that wins over the other has
// a partner that wins over the other's partner, then both lists give the same answer for every path.
void settle(RuleList& removed, RuleList& added, RuleList& common, const Dialect& dialect, StepBudget& budget);

}  // namespace robotrules::advice
