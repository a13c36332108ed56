#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "api/group_version.h"
#include "apiserver/kinds/kinds_files.h"
#include "apiserver/protobuf/decoder.h"
#include "base/check.h"
#include "json/parse.h"
#include "json/print.h"

// The first byte says which kind is expected. What comes out must be JSON with names that differ;
// what is refused must be refused as the client's mistake.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const berth::apiserver::MessageTable kTable(berth::apiserver::read_kinds_file("protobuf"));
  static const std::vector<berth::api::Gvk> kKinds = {
      {.version = "v1", .kind = "Pod"},
      {.version = "v1", .kind = "DeleteOptions"},
      {.group = "apiextensions.k8s.io", .version = "v1", .kind = "CustomResourceDefinition"},
      {.group = "authorization.k8s.io", .version = "v1", .kind = "SubjectAccessReview"},
      {.group = "apps", .version = "v1", .kind = "ControllerRevision"},
      {.version = "v1", .kind = "Secret"},
  };
  if (size < 1) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto value =
      berth::apiserver::decode_protobuf(kTable, bytes, kKinds[data[0] % kKinds.size()]);
  if (!value.ok()) {
    CHECK(value.error().code == berth::Code::BadRequest && !value.error().message.empty());
    return 0;
  }
  const auto back = berth::json::parse_document(berth::json::print(*value));
  CHECK(back.ok() && back->duplicate_fields.empty() && back->value == *value);
  return 0;
}
