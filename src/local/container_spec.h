// What it takes to start one container: its command, variables and files, with all that a pod only
// refers to put in.

#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/object_key.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::local {

enum class SourceKind : std::uint8_t { Secret, ConfigMap };

// A Secret or ConfigMap of the pod's namespace.
struct Source {
  SourceKind kind;
  std::string name;
  bool is_optional = false;

  auto operator<=>(const Source&) const = default;
};

// All that the pod's volumes and variables refer to, each once.
std::vector<Source> sources_of(const json::Value& pod);

using Files = std::map<std::string, std::string>;  // Contents by relative path.

struct Mount {
  std::string path;  // Inside the container.
  Files files = {};  // None: an empty directory to write to.

  bool operator==(const Mount&) const = default;
};

struct ContainerSpec {
  api::ObjectKey pod;
  std::string pod_uid;
  std::string name;
  std::string image;
  std::vector<std::string> command = {};  // Empty: the image's own entry point.
  std::vector<std::string> arguments = {};
  std::map<std::string, std::string> variables = {};
  std::vector<Mount> mounts = {};

  bool operator==(const ContainerSpec&) const = default;
};

// The object behind a source; nullptr when there is none.
using FindSource = std::function<const json::Value*(SourceKind, std::string_view name)>;

// Fails with what to wait for: a Secret, a key, a volume that cannot be had here.
Result<ContainerSpec> container_spec(const json::Value& pod, const json::Value& container,
                                     const FindSource& find);

}  // namespace berth::local
