#include "fleet/addons/manifest.h"

#include "api/group_version.h"
#include "api/kinds/fields.h"
#include "base/strings.h"

namespace berth::fleet {

ManifestName name_of_manifest(const json::Value& manifest) {
  ManifestName name{.kind = api::text_field(manifest, "kind"),
                    .object = read_object_name(api::field(manifest, "metadata"))};
  if (auto parsed = api::parse_group_version(api::text_field(manifest, "apiVersion"));
      parsed.ok()) {
    name.group = parsed->group;
    name.version = parsed->version;
  }
  return name;
}

std::string guessed_resource(std::string_view kind) {
  std::string singular = lower_ascii(kind);
  if (singular.empty() || singular.ends_with("endpoints")) return singular;
  if (singular.ends_with('s')) return singular + "es";
  if (!singular.ends_with('y')) return singular + "s";
  singular.pop_back();
  return singular + "ies";
}

std::string_view workload_resource(const json::Value& manifest) {
  const ManifestName name = name_of_manifest(manifest);
  if (name.group != "apps") return "";
  if (name.kind == "Deployment") return "deployments";
  return name.kind == "DaemonSet" ? "daemonsets" : "";
}

}  // namespace berth::fleet
