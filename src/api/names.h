// What Kubernetes accepts as names, label keys and label values, with its own words on what is
// wrong.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::api {

// Each answers what is wrong with the text, in Kubernetes' words; nothing when it is fine.
using Problems = std::vector<std::string>;

Problems check_dns1123_label(std::string_view text);      // Namespaces.
Problems check_dns1123_subdomain(std::string_view text);  // Most object names.
Problems check_dns1035_label(std::string_view text);      // Services.
Problems check_label_value(std::string_view text);

// Label and annotation keys, finalizers, resource names: "name" or "prefix.example.com/name".
Problems check_qualified_name(std::string_view text);

}  // namespace berth::api
