#include <fmt/format.h>

#include "kube/hostile/bad_input.h"

namespace berth::kube {
namespace {

constexpr int kMegabyte = 1 << 20;

RawRequest strict(std::string body) {
  return post(kJsonType, std::move(body),
              fmt::format("{}?fieldValidation=Strict", kConfigMapsPath));
}

RawRequest json(std::string body) { return post(kJsonType, std::move(body)); }

std::vector<BadInput> no_objects() {
  using std::string_literals::operator""s;
  return {
      {"nothing", json(""), {400, "BadRequest"}},
      {"white space", json("  \n "), {400, "BadRequest"}},
      {"half an object", json("{"), {400, "BadRequest"}},
      {"null",
       json("null"),
       {422, "Invalid"},
       Difference{{400, "BadRequest"}, "an object is asked for, and the refusal says so"}},
      {"a list", json("[]"), {400, "BadRequest"}},
      {"a number", json("1"), {400, "BadRequest"}},
      {"more after the end", json(config_map_text("a") + " x"), {400, "BadRequest"}},
      {"two objects", json(config_map_text("a") + config_map_text("b")), {400, "BadRequest"}},
      {"a NUL between", json("{\0}"s), {400, "BadRequest"}},
      {"a NUL in a name", json(config_map_text("a\\u0000b")), {422, "Invalid"}},
      {"a byte order mark", json("\xef\xbb\xbf" + config_map_text("bom")), {400, "BadRequest"}},
      {"half a surrogate",
       json(config_map_text("surrogate", R"(,"data":{"a":"\ud800"})")),
       {201},
       Difference{{400, "BadRequest"}, kPlainText}},
      {"bad UTF-8",
       json(config_map_text("utf8", ",\"data\":{\"a\":\"\xff\xfe\"}")),
       {201},
       Difference{{400, "BadRequest"}, kPlainText}},
  };
}

std::vector<BadInput> wrong_values() {
  return {
      {"a number without end",
       json(config_map_text("x", R"(,"data":{"a":1e999})")),
       {400, "BadRequest"}},
      {"a number for a text",
       json(config_map_text("x", R"(,"data":{"a":1})")),
       {400, "BadRequest"}},
      {"a text for a map", json(config_map_text("x", R"(,"data":"a")")), {400, "BadRequest"}},
      {"no base64",
       json(config_map_text("x", R"(,"binaryData":{"a":"%%%"})")),
       {400, "BadRequest"}},
      {"a text for a boolean",
       json(config_map_text("x", R"(,"immutable":"yes")")),
       {400, "BadRequest"}},
      {"no kind", json(R"({"apiVersion":"v1","metadata":{"name":"nokind"}})"), {201}},
      {"another kind",
       json(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"x"}})"),
       {400, "BadRequest"}},
      {"an unknown kind",
       json(R"({"apiVersion":"v1","kind":"Nope","metadata":{"name":"x"}})"),
       {400, "BadRequest"}},
      {"another version", json(R"({"apiVersion":"v9","kind":"ConfigMap"})"), {400, "BadRequest"}},
      {"a bad version", json(R"({"apiVersion":"a/b/c","kind":"ConfigMap"})"), {400, "BadRequest"}},
      {"no name", json(R"({"apiVersion":"v1","kind":"ConfigMap"})"), {422, "Invalid"}},
      {"metadata is a list",
       json(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":[]})"),
       {400, "BadRequest"}},
      {"name is a number",
       json(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":1}})"),
       {400, "BadRequest"}},
      {"capitals in a name", json(config_map_text("A_B")), {422, "Invalid"}},
      {"a path as a name", json(config_map_text("../../x")), {422, "Invalid"}},
      {"a long name", json(config_map_text(repeated("a", 254))), {422, "Invalid"}},
      {"a bad key", json(config_map_text("x", R"(,"data":{"a/b":""})")), {422, "Invalid"}},
      {"the key ..", json(config_map_text("x", R"(,"data":{"..":""})")), {422, "Invalid"}},
      {"another namespace",
       json(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"y"}})"),
       {400, "BadRequest"}},
      {"a version for a new one",
       json(
           R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","resourceVersion":"1"}})"),
       {500},
       Difference{{400, "BadRequest"}, kNoInternalError}},
      {"a bad label",
       json(
           R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","labels":{"a b":"c"}}})"),
       {422, "Invalid"}},
      {"a long label",
       json(fmt::format(
           R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"x","labels":{{"a":"{}"}}}}}})",
           repeated("a", 64))),
       {422, "Invalid"}},
      {"annotations of 300 KB",
       json(fmt::format(
           R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"x","annotations":{{"a":"{}"}}}}}})",
           repeated("a", 300'000))),
       {422, "Invalid"}},
      {"a bad finalizer",
       json(
           R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","finalizers":["a b"]}})"),
       {422, "Invalid"}},
  };
}

std::vector<BadInput> large_documents() {
  return {
      {"data of 1.2 MB",
       json(config_map_text("x", fmt::format(R"(,"data":{{"a":"{}"}})", repeated("a", 1'200'000)))),
       {422, "Invalid"}},
      {"3 MB and one byte",
       json(std::string(3 * kMegabyte + 1, ' ')),
       {413, "RequestEntityTooLarge"}},
      {"lists 1,001 deep",
       json(config_map_text("x", ",\"data\":" + repeated("[", 1001) + repeated("]", 1001))),
       {400, "BadRequest"}},
      {"lists 20,000 deep",
       json(config_map_text("x", ",\"data\":" + repeated("[", 20'000) + repeated("]", 20'000))),
       {400, "BadRequest"}},
      {"a million brackets", json(repeated("[", kMegabyte)), {400, "BadRequest"}},
      {"objects 300,000 deep", json(repeated("{\"a\":", 300'000)), {400, "BadRequest"}},
  };
}

std::vector<BadInput> strict_and_less_strict() {
  return {
      {"an unknown field, strictly",
       strict(config_map_text("x", R"(,"nope":1)")),
       {400, "BadRequest"}},
      {"an unknown field", json(config_map_text("unknown-field", R"(,"nope":1)")), {201}},
      {"a field twice, strictly",
       strict(config_map_text("x", R"(,"data":{},"data":{})")),
       {400, "BadRequest"}},
      {"a field twice", json(config_map_text("field-twice", R"(,"data":{},"data":{})")), {201}},
      {"a key twice, strictly",
       strict(config_map_text("x", R"(,"data":{"a":"1","a":"2"})")),
       {400, "BadRequest"}},
      {"another case, strictly",
       strict(config_map_text("x", R"(,"Data":{})")),
       {400, "BadRequest"}},
      {"100,000 unknown fields, strictly",
       strict(config_map_text("x", repeated(R"(,"nope":1)", 100'000))),
       {400, "BadRequest"}},
      {"bad field validation",
       post(kJsonType, config_map_text("x"),
            fmt::format("{}?fieldValidation=Perhaps", kConfigMapsPath)),
       {422, "Invalid"}},
      {"bad dry run",
       post(kJsonType, config_map_text("x"), fmt::format("{}?dryRun=Perhaps", kConfigMapsPath)),
       {422, "Invalid"}},
      {"a long field manager",
       post(kJsonType, config_map_text("x"),
            fmt::format("{}?fieldManager={}", kConfigMapsPath, repeated("a", 129))),
       {422, "Invalid"}},
      {"a namespace that is not there",
       post(kJsonType, config_map_text("x"), "/api/v1/namespaces/nowhere/configmaps"),
       {404, "NotFound"}},
  };
}

}  // namespace

std::vector<BadInput> joined(std::vector<std::vector<BadInput>> parts) {
  std::vector<BadInput> all;
  for (auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

RawRequest get(std::string target) { return {.target = std::move(target)}; }

RawRequest post(std::string_view type, std::string body, std::string target) {
  return {.method = "POST",
          .target = std::move(target),
          .content_type = std::string(type),
          .body = std::move(body)};
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  result.reserve(text.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

std::string config_map_text(std::string_view name, std::string_view more) {
  return fmt::format(R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}}{}}})",
                     name, more);
}

std::vector<BadInput> bad_documents() {
  return joined({no_objects(), wrong_values(), large_documents(), strict_and_less_strict()});
}

}  // namespace berth::kube
