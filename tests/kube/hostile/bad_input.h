// Requests that are wrong or hostile, with what kube-apiserver 1.35 answers.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/raw_request.h"

namespace berth::kube {

struct Verdict {
  int code = 0;
  std::string reason = {};

  bool operator==(const Verdict&) const = default;
};

// Where the hub differs on purpose.
struct Difference {
  Verdict verdict;
  std::string_view why;
};

struct BadInput {
  std::string name;  // Unique.
  RawRequest request;
  Verdict expected;
  std::optional<Difference> on_hub = std::nullopt;
};

// The ConfigMap default/kept and the custom resource default/kept of gadgets.bad.berth.dev exist.
std::vector<BadInput> bad_documents();
std::vector<BadInput> bad_encodings();  // YAML, protobuf, media types.
std::vector<BadInput> bad_paths();      // Paths, methods, headers.
std::vector<BadInput> bad_queries();
std::vector<BadInput> bad_changes();      // Updates, patches and deletions.
std::vector<BadInput> bad_definitions();  // CustomResourceDefinitions.

inline constexpr std::string_view kConfigMapsPath = "/api/v1/namespaces/default/configmaps";
inline constexpr std::string_view kGadgetsPath =
    "/apis/bad.berth.dev/v1/namespaces/default/gadgets";
inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kYamlType = "application/yaml";
inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

// Why the hub answers something else in more than one place.
inline constexpr std::string_view kPlainText = "texts are UTF-8 and stay as they were sent";
inline constexpr std::string_view kPlainPath = "a path that no client sends is refused as such";
inline constexpr std::string_view kNoInternalError =
    "the reference calls a bad request an internal error";

std::vector<BadInput> joined(std::vector<std::vector<BadInput>> parts);

RawRequest get(std::string target);
RawRequest post(std::string_view type, std::string body,
                std::string target = std::string(kConfigMapsPath));

std::string repeated(std::string_view text, int times);

// A ConfigMap of that name whose other members are given as JSON, starting with a comma.
std::string config_map_text(std::string_view name, std::string_view more = "");

}  // namespace berth::kube
