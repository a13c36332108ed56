#include "apiserver/requests/negotiation.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

struct MediaType {
  std::string type = {};  // "application/json", in lower case.
  std::string as = {};
  std::string group = {};
  std::string version = {};
};

MediaType read_media_type(std::string_view text) {
  MediaType media;
  const auto parts = split(text, ';');
  media.type = lower_ascii(trim(parts[0]));
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view part = trim(parts[i]);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = part.substr(equals + 1);
    if (name == "as") media.as = value;
    if (name == "g") media.group = value;
    if (name == "v") media.version = value;
  }
  return media;
}

std::optional<AnswerForm> form_of(const MediaType& media, AllowedForms allowed) {
  const bool is_json =
      media.type == "application/json" || media.type == "*/*" || media.type == "application/*";
  if (!is_json) return std::nullopt;
  if (media.as.empty()) return AnswerForm::Json;
  const bool is_meta = media.group == "meta.k8s.io" && media.version == "v1";
  if (media.as == "Table" && is_meta && allowed.table) return AnswerForm::Table;
  const bool is_partial =
      media.as == "PartialObjectMetadata" || media.as == "PartialObjectMetadataList";
  if (is_partial && is_meta && allowed.partial_metadata) return AnswerForm::PartialMetadata;
  const bool is_discovery = media.as == "APIGroupDiscoveryList" &&
                            media.group == "apidiscovery.k8s.io" && media.version == "v2";
  if (is_discovery && allowed.discovery) return AnswerForm::Discovery;
  return std::nullopt;
}

std::string base_type(std::optional<std::string_view> content_type) {
  return content_type ? read_media_type(*content_type).type : std::string();
}

std::unexpected<Refusal> unsupported(std::string_view accepted) {
  return refuse(Code::UnsupportedMediaType,
                fmt::format("the body of the request was in an unknown format - accepted media "
                            "types include: {}",
                            accepted));
}

}  // namespace

Attempt<AnswerForm> negotiate(std::optional<std::string_view> accept, AllowedForms allowed) {
  if (!accept || trim(*accept).empty()) return AnswerForm::Json;
  for (const std::string_view part : split(*accept, ',')) {
    if (const auto form = form_of(read_media_type(part), allowed)) return *form;
  }
  return refuse(Code::NotAcceptable,
                "only the following media types are accepted: application/json");
}

Attempt<BodyForm> body_form(std::optional<std::string_view> content_type) {
  const std::string type = base_type(content_type);
  if (type.empty() || type == "application/json") return BodyForm::Json;
  if (type == "application/yaml") return BodyForm::Yaml;
  if (type == "application/vnd.kubernetes.protobuf") return BodyForm::Protobuf;
  return unsupported("application/json, application/yaml, application/vnd.kubernetes.protobuf");
}

Attempt<PatchForm> patch_form(std::optional<std::string_view> content_type,
                              StrategicPatches strategic) {
  const std::string type = base_type(content_type);
  if (type == "application/json-patch+json") return PatchForm::Json;
  if (type == "application/merge-patch+json") return PatchForm::Merge;
  if (type == "application/apply-patch+yaml") return PatchForm::Apply;
  if (strategic == StrategicPatches::Unknown) {
    return unsupported(
        "application/json-patch+json, application/merge-patch+json, "
        "application/apply-patch+yaml");
  }
  if (type == "application/strategic-merge-patch+json") return PatchForm::Strategic;
  return unsupported(
      "application/json-patch+json, application/merge-patch+json, "
      "application/strategic-merge-patch+json, application/apply-patch+yaml");
}

}  // namespace berth::apiserver
