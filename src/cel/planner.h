// Turns a checked expression into a plan.

#pragma once

#include "base/result.h"
#include "cel/ast.h"
#include "cel/checker.h"
#include "cel/environment.h"
#include "cel/plan.h"

namespace berth::cel {

// The expression must have been checked without issues. Fails when a call can never work, which
// only its implementation can tell: a malformed pattern.
Result<EvaluationPlan> make_plan(const Ast& ast, const Checked& checked,
                                 const Environment& environment);

}  // namespace berth::cel
