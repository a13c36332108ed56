// Labels and selectors inside objects: node selectors, templates, workloads.

#pragma once

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"

namespace berth::apiserver {

// A map of labels. All complaints are about the map.
void check_labels(const Place& labels, Complaints& complaints);
void check_annotations(const Place& annotations, Complaints& complaints);

// Whether In, NotIn, Exists and DoesNotExist have values, or none. False: it is another operator.
bool check_set_operator(const Place& requirement, Complaints& complaints);

// {matchLabels, matchExpressions}; nothing to say when there is none.
void check_selector(const Place& selector, Complaints& complaints);

// Whether it selects nothing in particular: neither labels nor expressions.
bool is_empty_selector(const Place& selector);

}  // namespace berth::apiserver
