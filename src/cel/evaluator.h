// Runs a plan.

#pragma once

#include "cel/context.h"
#include "cel/plan.h"
#include "cel/value.h"

namespace berth::cel {

// The context's variables must be as many as the environment has.
Value evaluate(const EvaluationPlan& plan, Context& context);

}  // namespace berth::cel
