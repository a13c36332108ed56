#include <fmt/format.h>

#include "kube/hostile/bad_input.h"

namespace berth::kube {
namespace {

constexpr std::string_view kPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

std::string definition(std::string_view versions, std::string_view name = "things.bad.berth.dev") {
  return fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"{}"}},)"
      R"("spec":{{"group":"bad.berth.dev","scope":"Namespaced","names":{{"plural":"things","kind":"Thing"}},)"
      R"("versions":[{}]}}}})",
      name, versions);
}

std::string version(std::string_view schema, std::string_view name = "v1") {
  return fmt::format(
      R"({{"name":"{}","served":true,"storage":true,"schema":{{"openAPIV3Schema":{}}}}})", name,
      schema);
}

// Nothing stays of those that the server has nothing against.
RawRequest define(std::string body) {
  return post(kJsonType, std::move(body), fmt::format("{}?dryRun=All", kPath));
}

RawRequest with_schema(std::string_view schema) { return define(definition(version(schema))); }

RawRequest with_spec(std::string_view spec) {
  return with_schema(fmt::format(R"({{"type":"object","properties":{{"spec":{}}}}})", spec));
}

RawRequest with_rule(std::string_view rule) {
  return with_spec(fmt::format(
      R"({{"type":"object","properties":{{"a":{{"type":"array","items":{{"type":"string"}}}}}},)"
      R"("x-kubernetes-validations":[{{"rule":"{}"}}]}})",
      rule));
}

std::string nested_schema(int depth) {
  return repeated(R"({"type":"object","properties":{"a":)", depth) + R"({"type":"string"})" +
         repeated("}}", depth);
}

}  // namespace

std::vector<BadInput> bad_definitions() {
  const std::string any = R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})";
  return {
      {"CRD: no versions", define(definition("")), {422, "Invalid"}},
      {"CRD: another name",
       define(definition(version(any), "stuff.bad.berth.dev")),
       {422, "Invalid"}},
      {"CRD: a bad name", define(definition(version(any), "..")), {422, "Invalid"}},
      {"CRD: two stored versions",
       define(definition(version(any) + "," + version(any, "v2"))),
       {422, "Invalid"}},
      {"CRD: one version twice",
       define(definition(version(any) + "," + version(any))),
       {422, "Invalid"}},
      {"CRD: a bad version", define(definition(version(any, "V 1"))), {422, "Invalid"}},
      {"CRD: no schema",
       define(definition(R"({"name":"v1","served":true,"storage":true})")),
       {422, "Invalid"}},
      {"CRD: no type", with_schema("{}"), {422, "Invalid"}},
      {"CRD: a list at the top", with_schema(R"({"type":"array"})"), {422, "Invalid"}},
      {"CRD: an unknown type", with_spec(R"({"type":"thing"})"), {422, "Invalid"}},
      {"CRD: a list without items", with_spec(R"({"type":"array"})"), {422, "Invalid"}},
      {"CRD: not structural", with_spec(R"({"anyOf":[{"type":"string"}]})"), {422, "Invalid"}},
      {"CRD: a reference", with_spec(R"({"$ref":"#/definitions/x"})"), {422, "Invalid"}},
      {"CRD: both kinds of properties",
       with_spec(R"({"type":"object","properties":{},"additionalProperties":{"type":"string"}})"),
       {201}},
      {"CRD: a bad pattern", with_spec(R"({"type":"string","pattern":"("})"), {422, "Invalid"}},
      {"CRD: a pattern that looks ahead",
       with_spec(R"-({"type":"string","pattern":"(?=a)"})-"),
       {422, "Invalid"}},
      {"CRD: a pattern that repeats too much",
       with_spec(R"({"type":"string","pattern":"((a{1000}){1000}){1000}"})"),
       {422, "Invalid"}},
      {"CRD: a default of another type",
       with_spec(R"({"type":"string","default":1})"),
       {422, "Invalid"}},
      {"CRD: a negative length",
       with_spec(R"({"type":"string","minLength":-1,"maxLength":-2})"),
       {201}},
      {"CRD: a map list without keys",
       with_spec(R"({"type":"array","x-kubernetes-list-type":"map","items":{"type":"object"}})"),
       {422, "Invalid"}},
      {"CRD: 500 deep",
       with_schema(nested_schema(500)),
       {201},
       Difference{{400, "BadRequest"}, "documents are at most 500 levels deep"}},
      {"CRD: 20,000 deep", with_schema(nested_schema(20'000)), {400, "BadRequest"}},
      {"CRD: a rule with an error", with_rule("self.a.+"), {422, "Invalid"}},
      {"CRD: an empty rule", with_rule(""), {422, "Invalid"}},
      {"CRD: a rule of another type", with_rule("1 + 1"), {422, "Invalid"}},
      {"CRD: a rule about nothing", with_rule("self.nope == 1"), {422, "Invalid"}},
      {"CRD: a rule that costs too much",
       with_rule("self.a.all(x, self.a.all(y, self.a.all(z, x + y == z)))"),
       {422, "Invalid"},
       Difference{{201}, "costs are bounded when a rule runs, not estimated before"}},
      {"CRD: a rule of brackets",
       with_rule(repeated("(", 5000) + "true" + repeated(")", 5000)),
       {422, "Invalid"}},
      {"CRD: a rule without end",
       with_rule("true" + repeated(" && true", 50'000)),
       {422, "Invalid"}},
      {"CRD: a rule with a bad pattern",
       with_rule("'a'.matches('(')"),
       {422, "Invalid"},
       Difference{{201}, "patterns are read when a rule runs"}},
      {"CRD: a protected group",
       define(
           R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"a.x.k8s.io"},"spec":{"group":"x.k8s.io","scope":"Cluster","names":{"plural":"a","kind":"A"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}})"),
       {422, "Invalid"}},
  };
}

}  // namespace berth::kube
