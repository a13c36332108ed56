// "%s is %d".format([name, count]): the verbs s d f e b o x X, with a precision for f and e.

#pragma once

#include "cel/ast.h"
#include "cel/checker.h"
#include "cel/function.h"
#include "cel/source.h"

namespace berth::cel {

// The implementation of string.format(list).
Value format_string(Call& call);

// Reports calls whose template and arguments are literals and do not go together.
void validate_format_calls(const Ast& ast, const Checked& checked, Issues& issues);

}  // namespace berth::cel
