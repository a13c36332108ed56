#include <fmt/format.h>

#include "base/base64.h"
#include "kube/hostile/bad_input.h"

namespace berth::kube {
namespace {

RawRequest below(std::string_view rest) { return get(fmt::format("{}{}", kConfigMapsPath, rest)); }

RawRequest with(std::string method, std::string target) {
  return {.method = std::move(method), .target = std::move(target)};
}

RawRequest with_header(std::string header) {
  return {.target = std::string(kConfigMapsPath), .headers = {std::move(header)}};
}

RawRequest page(std::string_view token) {
  std::string text = encode_base64(token);
  while (text.ends_with('=')) text.pop_back();
  return below("?limit=1&continue=" + text);
}

std::vector<BadInput> paths() {
  const std::string collection(kConfigMapsPath);
  return {
      {"name: %2f", below("/a%2fb"), {404, "NotFound"}},
      {"name: %2e%2e", below("/%2e%2e"), {400, "BadRequest"}},
      {"name: ..", below("/.."), {400, "BadRequest"}},
      {"name: %00",
       below("/a%00b"),
       {404, "NotFound"},
       Difference{{400, "BadRequest"}, kPlainPath}},
      {"name: bad escape",
       below("/%zz"),
       {0},
       Difference{{400, "BadRequest"}, "the reference cuts the stream"}},
      {"name: not UTF-8", below("/%ff%fe"), {404, "NotFound"}},
      {"name: 8 KB", below("/" + repeated("a", 8192)), {404, "NotFound"}},
      {"namespace: %2f..", get("/api/v1/namespaces/default%2f../configmaps"), {404, "NotFound"}},
      {"namespace: ..",
       get("/api/v1/namespaces/../configmaps"),
       {500},
       Difference{{400, "BadRequest"}, kNoInternalError}},
      {"namespace: empty",
       get("/api/v1/namespaces//configmaps"),
       {200},
       Difference{{400, "BadRequest"}, kPlainPath}},
      {"path: two slashes",
       get("//api/v1/namespaces/default/configmaps"),
       {404},
       Difference{{400, "BadRequest"}, kPlainPath}},
      {"path: slash at the end", get(collection + "/"), {200}},
      {"path: unknown", get("/nope"), {404}},
      {"path: unknown group", get("/apis/nope.example/v1/things"), {404}},
      {"path: unknown version", get("/apis/apps/v9/deployments"), {404, "NotFound"}},
      {"path: unknown resource", get("/api/v1/namespaces/default/nopes"), {404, "NotFound"}},
      {"path: unknown subresource", below("/kept/nope"), {404, "NotFound"}},
      {"path: status of what has none", below("/kept/status"), {404, "NotFound"}},
      {"path: deeper", below("/kept/a/b/c"), {404, "NotFound"}},
      {"path: 20 KB", get("/" + repeated("a/", 10'000)), {404}},
      {"path: a resource without its namespace",
       with("DELETE", "/api/v1/configmaps/kept"),
       {404, "NotFound"}},
      {"path: cluster-wide in a namespace",
       get("/api/v1/namespaces/default/nodes"),
       {404, "NotFound"}},
      {"path: the old watch",
       get("/api/v1/watch/namespaces/default/configmaps/nope?timeoutSeconds=1"),
       {200},
       Difference{{404, "NotFound"},
                  "it is deprecated since Kubernetes 1.11, and no client uses it"}},
      {"path: fragments", get("/api/v1#/x"), {200}},
  };
}

std::vector<BadInput> methods_and_headers() {
  const std::string collection(kConfigMapsPath);
  return {
      {"method: BREW", with("BREW", collection), {405, "MethodNotAllowed"}},
      {"method: TRACE", with("TRACE", collection), {405, "MethodNotAllowed"}},
      {"method: OPTIONS", with("OPTIONS", collection), {405, "MethodNotAllowed"}},
      {"method: lower case", with("get", collection), {405, "MethodNotAllowed"}},
      {"method: PUT of a collection", with("PUT", collection), {405, "MethodNotAllowed"}},
      {"method: PATCH of a collection", with("PATCH", collection), {405, "MethodNotAllowed"}},
      {"method: POST to an object", with("POST", collection + "/kept"), {405, "MethodNotAllowed"}},
      {"method: POST to /version", with("POST", "/version"), {405, "MethodNotAllowed"}},
      {"method: DELETE of /readyz",
       with("DELETE", "/readyz"),
       {200},
       Difference{{405, "MethodNotAllowed"}, "nothing is deleted there"}},
      {"method: PUT of a review",
       with("PUT", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"),
       {405, "MethodNotAllowed"}},
      {"method: GET of a review",
       get("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"),
       {405, "MethodNotAllowed"}},
      {"header: 60 KB", with_header("X-Long: " + repeated("a", 60'000)), {200}},
      {"header: impersonated groups without a user",
       with_header("Impersonate-Group: a"),
       {400, "BadRequest"}},
      {"header: a user who may nothing",
       with_header("Impersonate-User: nobody"),
       {403, "Forbidden"}},
      {"header: a bad token", with_header("Authorization: Bearer nope"), {200}},
      {"header: basic", with_header("Authorization: Basic YTpi"), {200}},
  };
}

std::vector<BadInput> selectors() {
  const std::string selector = "?labelSelector=";
  return {
      {"labels: two signs", below(selector + "a=b=c"), {400, "BadRequest"}},
      {"labels: an open set", below(selector + "a+in+("), {400, "BadRequest"}},
      {"labels: only not", below(selector + "%21"), {400, "BadRequest"}},
      {"labels: a bad key", below(selector + "a+b"), {400, "BadRequest"}},
      {"labels: a long value", below(selector + "a%3D" + repeated("b", 64)), {400, "BadRequest"}},
      {"labels: a NUL",
       below(selector + "a%00"),
       {200},
       Difference{{400, "BadRequest"}, kPlainText}},
      {"labels: commas", below(selector + repeated(",", 1000)), {400, "BadRequest"}},
      {"labels: 20,000 values",
       below(selector + "a+in+(" + repeated("b,", 20'000) + "c)"),
       {200},
       Difference{{431}, "a target has at most 32 KiB"}},
      {"labels: 10,000 conditions", below(selector + repeated("a,", 10'000) + "a"), {200}},
      {"labels: brackets", below(selector + repeated("(", 10'000)), {400, "BadRequest"}},
      {"labels: greater than a word", below(selector + "a%3Eb"), {400, "BadRequest"}},
      {"fields: unknown", below("?fieldSelector=spec.nope%3D1"), {400, "BadRequest"}},
      {"fields: no sign", below("?fieldSelector=metadata.name"), {400, "BadRequest"}},
      {"fields: a set", below("?fieldSelector=metadata.name+in+(a)"), {400, "BadRequest"}},
      {"fields: a backslash", below("?fieldSelector=metadata.name%3Da%5C"), {400, "BadRequest"}},
      {"fields: of a custom resource",
       get(fmt::format("{}?fieldSelector=spec.nope%3D1", kGadgetsPath)),
       {400, "BadRequest"}},
  };
}

std::vector<BadInput> pages_and_versions() {
  return {
      {"page: noise", below("?limit=1&continue=%25%25%25"), {400, "BadRequest"}},
      {"page: no JSON", page("hello"), {400, "BadRequest"}},
      {"page: up the tree",
       page(R"({"v":"meta.k8s.io/v1","rv":1,"start":"../../secrets"})"),
       {400, "BadRequest"}},
      {"page: version 0",
       page(R"({"v":"meta.k8s.io/v1","rv":0,"start":"a\u0000"})"),
       {400, "BadRequest"}},
      {"page: another form",
       page(R"({"v":"meta.k8s.io/v9","rv":1,"start":"a\u0000"})"),
       {400, "BadRequest"}},
      {"page: forgotten", page(R"({"v":"meta.k8s.io/v1","rv":1,"start":"a\u0000"})"), {200}},
      {"page: with a version",
       below("?limit=1&resourceVersion=5&continue=e30"),
       {400, "BadRequest"}},
      {"limit: a word", below("?limit=many"), {400, "BadRequest"}},
      {"limit: negative", below("?limit=-1"), {200}},
      {"limit: too large", below("?limit=99999999999999999999"), {400, "BadRequest"}},
      {"version: a word", below("?resourceVersion=new"), {400, "BadRequest"}},
      {"version: negative", below("?resourceVersion=-1"), {400, "BadRequest"}},
      {"version: too large", below("?resourceVersion=99999999999999999999"), {400, "BadRequest"}},
      {"version: not yet", below("?resourceVersion=999999999"), {504, "Timeout"}},
      {"version: exactly 0",
       below("?resourceVersion=0&resourceVersionMatch=Exact"),
       {422, "Invalid"}},
      {"version: a match of none", below("?resourceVersionMatch=Exact"), {422, "Invalid"}},
      {"version: an unknown match",
       below("?resourceVersion=1&resourceVersionMatch=About"),
       {422, "Invalid"}},
      {"version: forgotten", below("?resourceVersion=1&resourceVersionMatch=Exact"), {200}},
      {"version: get a word",
       below("/kept?resourceVersion=new"),
       {500},
       Difference{{400, "BadRequest"}, kNoInternalError}},
      {"version: get not yet", below("/kept?resourceVersion=999999999"), {504, "Timeout"}},
  };
}

std::vector<BadInput> watches() {
  return {
      {"watch: a word", below("?watch=perhaps&timeoutSeconds=1"), {200}},
      {"watch: from a word",
       below("?watch=1&resourceVersion=new"),
       {500},
       Difference{{400, "BadRequest"}, kNoInternalError}},
      {"watch: from not yet", below("?watch=1&resourceVersion=999999999&timeoutSeconds=1"), {200}},
      {"watch: for a word", below("?watch=1&timeoutSeconds=long"), {400, "BadRequest"}},
      {"watch: initial events without a match",
       below("?watch=1&sendInitialEvents=true&timeoutSeconds=1"),
       {422, "Invalid"}},
      {"watch: initial events of a list", below("?sendInitialEvents=true"), {422, "Invalid"}},
      {"watch: a match without initial events",
       below("?watch=1&resourceVersionMatch=NotOlderThan&timeoutSeconds=1"),
       {422, "Invalid"}},
      {"watch: a continuation",
       below("?watch=1&continue=x&timeoutSeconds=1"),
       {422, "Invalid"},
       Difference{
           {200},
           "the reference finds fault with a version that nobody gave; a watch has no pages"}},
      {"query: a bad escape",
       below("?limit=%zz"),
       {200},
       Difference{{400, "BadRequest"}, "the reference drops what it cannot read"}},
      {"query: a semicolon",
       below("?limit=1;watch=1"),
       {200},
       Difference{{400, "BadRequest"}, "the reference drops what it cannot read"}},
      {"query: 5,000 parameters", below("?" + repeated("a=b&", 5000)), {200}},
  };
}

}  // namespace

std::vector<BadInput> bad_paths() { return joined({paths(), methods_and_headers()}); }

std::vector<BadInput> bad_queries() {
  return joined({selectors(), pages_and_versions(), watches()});
}

}  // namespace berth::kube
