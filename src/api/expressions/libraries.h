// Kubernetes' libraries for CEL, each a function that adds to an environment.

#pragma once

#include "cel/environment.h"

namespace berth::api {

void add_lists_library(cel::Environment& environment);     // isSorted sum min max indexOf
void add_regex_library(cel::Environment& environment);     // find findAll
void add_url_library(cel::Environment& environment);       // url isURL getHost getQuery ...
void add_quantity_library(cel::Environment& environment);  // quantity isQuantity add compareTo ...
void add_ip_library(cel::Environment& environment);        // ip isIP family isLoopback ...
void add_cidr_library(cel::Environment& environment);      // cidr isCIDR containsIP masked ...
void add_format_library(cel::Environment& environment);    // format.named validate ...

// The versions of the semver library differ in what they declare.
enum class SemverVersion {
  Strict,       // semver("1.2.3") only.
  Normalizing,  // Also semver("v1.2", true).
};
void add_semver_library(cel::Environment& environment, SemverVersion version);

// All of these, and what of CEL itself every expression in Kubernetes may use.
void add_kubernetes_libraries(cel::Environment& environment, SemverVersion version);

}  // namespace berth::api
