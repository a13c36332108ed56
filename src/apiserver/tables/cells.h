// The pieces that cells of several kinds are made of.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

// What stands at "spec.template.spec", or a null. Names with a dot inside cannot be asked for.
const json::Value& at(const json::Value& object, std::string_view path);

std::string text_at(const json::Value& object, std::string_view path);
std::int64_t integer_at(const json::Value& object, std::string_view path);  // 0 when absent.
std::optional<Time> time_at(const json::Value& object, std::string_view path);
std::string age_at(const json::Value& object, std::string_view path, Time now);

// The strings of an array at the path, with `separator` between them.
std::string joined_at(const json::Value& object, std::string_view path, std::string_view separator);

// The annotation's value, if there is one.
std::optional<std::string_view> annotation(const json::Value& object, std::string_view key);

// "a=b,c=d", sorted; "<none>" for none.
std::string labels_text(const json::Value& labels);

// A label selector as kubectl writes it; "<none>" when it selects everything or is absent,
// "<error>" when it is none.
std::string selector_text(const json::Value& selector);

// The names or images of the containers below "spec.template.spec": "app,sidecar".
std::string container_names(const json::Value& pod_spec);
std::string container_images(const json::Value& pod_spec);

// An integer or a string, as it is read by people; "" for anything else.
std::string int_or_string_text(const json::Value& value);

// A quantity in its canonical form; "0" when absent.
std::string quantity_text(const json::Value& value);

// The first three, and how many more there are: "a,b,c + 2 more...".
inline constexpr std::size_t kShownMax = 3;
std::string with_more(const std::vector<std::string>& all);

}  // namespace berth::apiserver
