#include "apiserver/openapi/swagger.h"

#include "base/check.h"
#include "json/print.h"
#include "json/value.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kVersion = "2.0";
constexpr std::string_view kTitle = "Kubernetes";

// A field of bytes whose number and length take one byte each.
std::string field(int number, std::string_view bytes) {
  CHECK(number < 16 && bytes.size() < 128);
  constexpr int kBytes = 2;
  std::string text;
  text += static_cast<char>(number * 8 + kBytes);
  text += static_cast<char>(bytes.size());
  text += bytes;
  return text;
}

}  // namespace

std::string swagger_json(std::string_view server_version) {
  json::Value document = json::Value::object({{"swagger", kVersion}});
  document["info"] = json::Value::object({{"title", kTitle}, {"version", server_version}});
  document["paths"] = json::Value::object();
  return json::print(document);
}

// Document{swagger = 1, info = 2, paths = 8}; Info{title = 1, version = 2}.
std::string swagger_protobuf(std::string_view server_version) {
  return field(1, kVersion) + field(2, field(1, kTitle) + field(2, server_version)) + field(8, "");
}

}  // namespace berth::apiserver
