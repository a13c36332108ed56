#include <fmt/format.h>

#include "kube/hostile/bad_input.h"

namespace berth::kube {
namespace {

constexpr std::string_view kJsonPatch = "application/json-patch+json";
constexpr std::string_view kMergePatch = "application/merge-patch+json";
constexpr std::string_view kStrategicPatch = "application/strategic-merge-patch+json";
constexpr std::string_view kApplyPatch = "application/apply-patch+yaml";

RawRequest change(std::string method, std::string_view type, std::string body,
                  std::string_view rest = "") {
  return {.method = std::move(method),
          .target = fmt::format("{}/kept{}", kConfigMapsPath, rest),
          .content_type = std::string(type),
          .body = std::move(body)};
}

RawRequest patch(std::string_view type, std::string body, std::string_view rest = "") {
  return change("PATCH", type, std::move(body), rest);
}

RawRequest put(std::string body) { return change("PUT", kJsonType, std::move(body)); }

// Of one that stays, whatever the server thinks of the options.
RawRequest remove(std::string body) {
  return change("DELETE", kJsonType, std::move(body), "?dryRun=All");
}

RawRequest patch_gadget(std::string_view type, std::string body) {
  return {.method = "PATCH",
          .target = fmt::format("{}/kept", kGadgetsPath),
          .content_type = std::string(type),
          .body = std::move(body)};
}

std::string operations(std::string_view one, int times) {
  return "[" + repeated(fmt::format("{},", one), times - 1) + std::string(one) + "]";
}

// Each copy doubles what is there.
std::string doubling(int times) {
  std::string text = R"([{"op":"add","path":"/x","value":["0123456789"]})";
  for (int i = 0; i < times; ++i) text += R"(,{"op":"copy","from":"/x","path":"/x/-"})";
  return text + "]";
}

std::string metadata(std::string_view members) {
  return fmt::format(R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{{}}}}})", members);
}

std::vector<BadInput> json_patches() {
  return {
      {"patch: no list", patch(kJsonPatch, "{}"), {400, "BadRequest"}},
      {"patch: half a list", patch(kJsonPatch, "["), {400, "BadRequest"}},
      {"patch: nothing", patch(kJsonPatch, ""), {400, "BadRequest"}},
      {"patch: an unknown operation",
       patch(kJsonPatch, R"([{"op":"swap","path":"/data"}])"),
       {422, "Invalid"}},
      {"patch: no operation", patch(kJsonPatch, R"([{"path":"/data"}])"), {422, "Invalid"}},
      {"patch: a test that fails",
       patch(kJsonPatch, R"([{"op":"test","path":"/data/a","value":"z"}])"),
       {422, "Invalid"}},
      {"patch: nothing at the path",
       patch(kJsonPatch, R"([{"op":"remove","path":"/a/b/c"}])"),
       {422, "Invalid"}},
      {"patch: a path without slash",
       patch(kJsonPatch, R"([{"op":"add","path":"data","value":1}])"),
       {422, "Invalid"}},
      {"patch: a bad index",
       patch(kJsonPatch, R"([{"op":"add","path":"/metadata/managedFields/-7","value":1}])"),
       {422, "Invalid"}},
      {"patch: 10,001 operations",
       patch(kJsonPatch, operations(R"({"op":"test","path":"/data/a","value":"b"})", 10'001)),
       {413, "RequestEntityTooLarge"}},
      {"patch: copies that explode",
       patch(kJsonPatch, doubling(60)),
       {422, "Invalid"},
       Difference{{413, "RequestEntityTooLarge"}, "it is the size that is refused"}},
  };
}

std::vector<BadInput> other_patches() {
  return {
      {"patch: an unknown type", patch("application/x-patch", "{}"), {415, "UnsupportedMediaType"}},
      {"patch: plain JSON", patch(kJsonType, "{}"), {415, "UnsupportedMediaType"}},
      {"patch: merge a list", patch(kMergePatch, "[]"), {400, "BadRequest"}},
      {"patch: merge null", patch(kMergePatch, "null"), {400, "BadRequest"}},
      {"patch: merge half an object", patch(kMergePatch, "{"), {400, "BadRequest"}},
      {"patch: merge 20,000 deep",
       patch(kMergePatch, repeated("{\"a\":", 20'000) + "1" + repeated("}", 20'000)),
       {400, "BadRequest"}},
      {"patch: another name",
       patch(kMergePatch, R"({"metadata":{"name":"other"}})"),
       {400, "BadRequest"}},
      {"patch: another uid",
       patch(kMergePatch, R"({"metadata":{"uid":"other"}})"),
       {422, "Invalid"}},
      {"patch: a stale version",
       patch(kMergePatch, R"({"metadata":{"resourceVersion":"1"}})"),
       {409, "Conflict"}},
      {"patch: another kind",
       patch(kMergePatch, R"({"kind":"Secret"})"),
       {422, "Invalid"},
       Difference{{400, "BadRequest"}, "the request is at fault, not a field"}},
      {"patch: a wrong type", patch(kMergePatch, R"({"data":[1]})"), {422, "Invalid"}},
      {"patch: a bad directive",
       patch(kStrategicPatch, R"({"$patch":"explode"})"),
       {500},
       Difference{{422, "Invalid"}, kNoInternalError}},
      {"patch: a strategic list", patch(kStrategicPatch, "[]"), {400, "BadRequest"}},
      {"patch: strategic on a custom resource",
       patch_gadget(kStrategicPatch, "{}"),
       {415, "UnsupportedMediaType"}},
      {"patch: apply without a manager",
       patch(kApplyPatch, metadata(R"("name":"kept")")),
       {422, "Invalid"}},
      {"patch: apply with managed fields",
       patch(kApplyPatch, metadata(R"("name":"kept","managedFields":[{}])"), "?fieldManager=a"),
       {400, "BadRequest"}},
      {"patch: apply another name",
       patch(kApplyPatch, metadata(R"("name":"other")"), "?fieldManager=a"),
       {400, "BadRequest"}},
      {"patch: apply a list", patch(kApplyPatch, "[]", "?fieldManager=a"), {400, "BadRequest"}},
      {"patch: apply half a map",
       patch(kApplyPatch, "a: {", "?fieldManager=a"),
       {400, "BadRequest"}},
      {"patch: apply a wrong type",
       patch(kApplyPatch, R"({"apiVersion":"v1","kind":"ConfigMap","data":[1]})",
             "?fieldManager=a"),
       {500},
       Difference{{400, "BadRequest"}, kNoInternalError}},
      {"patch: force without apply", patch(kMergePatch, "{}", "?force=true"), {422, "Invalid"}},
      {"patch: what is not there",
       {.method = "PATCH",
        .target = fmt::format("{}/nope", kConfigMapsPath),
        .content_type = std::string(kMergePatch),
        .body = "{}"},
       {404, "NotFound"}},
      {"patch: beyond the schema",
       patch_gadget(kMergePatch, R"({"spec":{"size":"big"}})"),
       {422, "Invalid"}},
      {"patch: against the pattern",
       patch_gadget(kMergePatch, R"({"spec":{"word":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}})"),
       {422, "Invalid"}},
      {"patch: against the rule",
       patch_gadget(kMergePatch, R"({"spec":{"size":7}})"),
       {422, "Invalid"}},
  };
}

std::vector<BadInput> bad_patches() { return joined({json_patches(), other_patches()}); }

}  // namespace

std::vector<BadInput> bad_changes() {
  const std::vector<BadInput> more = {
      {"update: another name", put(metadata(R"("name":"other")")), {400, "BadRequest"}},
      {"update: another namespace",
       put(metadata(R"("name":"kept","namespace":"x")")),
       {400, "BadRequest"}},
      {"update: no name", put(metadata("")), {400, "BadRequest"}},
      {"update: a version that is none",
       put(metadata(R"("name":"kept","resourceVersion":"x")")),
       {500},
       Difference{{409, "Conflict"}, kNoInternalError}},
      {"update: a stale version",
       put(metadata(R"("name":"kept","resourceVersion":"1")")),
       {409, "Conflict"}},
      {"update: a later version",
       put(metadata(R"("name":"kept","resourceVersion":"99999999")")),
       {409, "Conflict"}},
      {"update: another uid", put(metadata(R"("name":"kept","uid":"x")")), {409, "Conflict"}},
      {"update: nothing", put(""), {400, "BadRequest"}},
      {"update: what is not there",
       {.method = "PUT",
        .target = fmt::format("{}/nope", kConfigMapsPath),
        .content_type = std::string(kJsonType),
        .body = metadata(R"("name":"nope")")},
       {404, "NotFound"}},
      {"delete: half an object", remove("{"), {400, "BadRequest"}},
      {"delete: a list", remove("[]"), {400, "BadRequest"}},
      {"delete: another kind", remove(R"({"apiVersion":"v1","kind":"Pod"})"), {400, "BadRequest"}},
      {"delete: an unknown policy", remove(R"({"propagationPolicy":"Perhaps"})"), {422, "Invalid"}},
      {"delete: two policies",
       remove(R"({"propagationPolicy":"Orphan","orphanDependents":true})"),
       {422, "Invalid"}},
      {"delete: another uid", remove(R"({"preconditions":{"uid":"x"}})"), {409, "Conflict"}},
      {"delete: another version",
       remove(R"({"preconditions":{"resourceVersion":"1"}})"),
       {409, "Conflict"}},
      {"delete: bad dry run", remove(R"({"dryRun":["Perhaps"]})"), {422, "Invalid"}},
      {"delete: a word for seconds",
       remove(R"({"gracePeriodSeconds":"long"})"),
       {400, "BadRequest"}},
      {"delete: what is not there",
       {.method = "DELETE", .target = fmt::format("{}/nope", kConfigMapsPath)},
       {404, "NotFound"}},
  };
  return joined({bad_patches(), more});
}

}  // namespace berth::kube
