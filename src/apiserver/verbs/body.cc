#include "apiserver/verbs/body.h"

#include <utility>

#include <fmt/format.h>

#include "apiserver/protobuf/decoder.h"
#include "apiserver/requests/negotiation.h"
#include "base/strings.h"
#include "json/parse.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

// As deep as anything sensible goes; Go's own decoder allows 10,000.
constexpr std::size_t kDepthMax = 500;

Attempt<ReadBody> read_json(const std::string& text) {
  auto document = json::parse_document(text, {.depth_max = kDepthMax});
  if (!document.ok()) return refuse(std::move(document).error());
  return ReadBody{.value = std::move(document->value),
                  .duplicate_fields = std::move(document->duplicate_fields)};
}

Attempt<ReadBody> read_yaml(const std::string& text) {
  auto document = json::read_one_yaml(
      text, {.depth_max = kDepthMax, .size_max = 3 * 1024 * 1024, .copied_values_max = 100'000});
  if (!document.ok()) return refuse(std::move(document).error());
  return ReadBody{.value = *std::move(document)};
}

}  // namespace

Attempt<ReadBody> read_object_body(const Call& call, const api::Gvk& expected) {
  const ApiRequest& request = call.request;
  ASSIGN_OR_RETURN(const BodyForm form, body_form(request.headers.find("content-type")));
  if (form == BodyForm::Protobuf) {
    ASSIGN_OR_RETURN(json::Value object,
                     decode_protobuf(*call.view.facts->messages, request.body, expected));
    return ReadBody{.value = std::move(object)};
  }
  ASSIGN_OR_RETURN(ReadBody body,
                   form == BodyForm::Json ? read_json(request.body) : read_yaml(request.body));
  if (!body.value.is_object()) {
    return refuse(Code::BadRequest, fmt::format("the body of the request is no object but {}",
                                                json::kind_name(body.value.kind())));
  }
  return body;
}

Attempt<std::optional<json::Value>> read_options_body(const Call& call) {
  if (call.request.body.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(ReadBody body,
                   read_object_body(call, {.version = "v1", .kind = "DeleteOptions"}));
  const json::Value* kind = body.value.find("kind");
  if (kind && kind->string_or_empty() != "DeleteOptions") {
    return refuse(Code::BadRequest,
                  fmt::format("the options of a deletion are DeleteOptions, not {}",
                              quote(kind->string_or_empty())));
  }
  return std::move(body.value);
}

}  // namespace berth::apiserver
