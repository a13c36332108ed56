#include <fmt/format.h>

#include "kube/hostile/bad_input.h"

namespace berth::kube {
namespace {

RawRequest yaml(std::string body) { return post(kYamlType, std::move(body)); }

const std::string kMagic("k8s\0", 4);

RawRequest protobuf(std::string body) { return post(kProtobufType, std::move(body)); }

// The envelope around an object: its type, then its bytes.
std::string envelope(std::string_view raw) {
  std::string type =
      "\x0a\x02v1\x12\x09"
      "ConfigMap";
  std::string text = kMagic + '\x0a' + static_cast<char>(type.size()) + type + '\x12';
  for (std::size_t left = raw.size();; left >>= 7) {
    text += static_cast<char>((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    if (left <= 0x7f) break;
  }
  return text + std::string(raw);
}

RawRequest accepting(std::string accept, std::string target = std::string(kConfigMapsPath)) {
  return {.target = std::move(target), .headers = {"Accept: " + accept}};
}

// Each name stands for ten of the one before.
std::string alias_bomb() {
  std::string text =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 12; ++i) {
    text += fmt::format(
        "a{0}: &a{0} [*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1},*a{1}]\n", i, i - 1);
  }
  return text;
}

std::vector<BadInput> yaml_inputs() {
  const std::string head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n";
  return {
      {"YAML: nothing",
       yaml(""),
       {422, "Invalid"},
       Difference{{400, "BadRequest"}, "an object is asked for, and the refusal says so"}},
      {"YAML: a text", yaml("hello"), {400, "BadRequest"}},
      {"YAML: half a list", yaml("a: [1, 2"), {400, "BadRequest"}},
      {"YAML: a tab", yaml("a:\n\tb: 1"), {400, "BadRequest"}},
      {"YAML: aliases that explode", yaml(alias_bomb()), {400, "BadRequest"}},
      {"YAML: an alias of itself", yaml("a: &a [*a]"), {400, "BadRequest"}},
      {"YAML: an alias of nothing", yaml(head + "data: *nothing"), {400, "BadRequest"}},
      {"YAML: a key twice",
       yaml(head + "data: {a: b, a: c}"),
       {201},
       Difference{{400, "BadRequest"}, "YAML itself forbids it"}},
      {"YAML: a list as a key", yaml("? [a, b]\n: c"), {400, "BadRequest"}},
      {"YAML: lists 20,000 deep",
       yaml(head + "data: " + repeated("[", 20'000)),
       {400, "BadRequest"}},
      {"YAML: maps 20,000 deep",
       yaml(head + "data: " + repeated("{a: ", 20'000)),
       {400, "BadRequest"}},
      {"YAML: a million brackets", yaml(repeated("[", 1 << 20)), {400, "BadRequest"}},
      {"YAML: 3 MB and more",
       yaml(std::string((3 << 20) + 1, '#')),
       {413, "RequestEntityTooLarge"}},
      {"YAML: bad UTF-8", yaml("a: \xff\xfe"), {400, "BadRequest"}},
      {"YAML: a NUL", yaml(std::string("a: \0", 4)), {400, "BadRequest"}},
  };
}

std::vector<BadInput> protobuf_inputs() {
  return {
      {"protobuf: nothing", protobuf(""), {400, "BadRequest"}},
      {"protobuf: no magic", protobuf("hello"), {400, "BadRequest"}},
      {"protobuf: JSON", protobuf(config_map_text("x")), {400, "BadRequest"}},
      {"protobuf: only magic",
       protobuf(kMagic),
       {400, "BadRequest"},
       Difference{{422, "Invalid"},
                  "an empty envelope is read as an empty object, which has no name"}},
      {"protobuf: noise", protobuf(kMagic + repeated("\xff", 100)), {400, "BadRequest"}},
      {"protobuf: a length too long",
       protobuf(kMagic + "\x0a\xff\xff\xff\xff\x0f"),
       {400, "BadRequest"}},
      {"protobuf: an object of noise",
       protobuf(envelope(repeated("\xff", 64))),
       {400, "BadRequest"}},
      {"protobuf: an object cut short", protobuf(envelope("\x0a\x20\x0a")), {400, "BadRequest"}},
      {"protobuf: no name", protobuf(envelope("")), {422, "Invalid"}},
      {"protobuf: groups 500,000 deep",
       protobuf(envelope(repeated("\x0b", 500'000))),
       {400, "BadRequest"}},
      {"protobuf: bad UTF-8",
       protobuf(envelope("\x0a\x04\x0a\x02\xff\xfe")),
       {422, "Invalid"},
       Difference{{400, "BadRequest"}, kPlainText}},
      {"protobuf: field number 0",
       protobuf(envelope(std::string("\x02\x00", 2))),
       {400, "BadRequest"}},
      {"protobuf: 3 MB and more",
       protobuf(kMagic + repeated("a", 3 << 20)),
       {413, "RequestEntityTooLarge"}},
      {"protobuf: for a custom resource",
       post(kProtobufType, envelope(""), std::string(kGadgetsPath)),
       {0},
       Difference{{415, "UnsupportedMediaType"}, "the reference cuts the stream"}},
  };
}

std::vector<BadInput> media_types() {
  return {
      {"type: text", post("text/plain", config_map_text("x")), {415, "UnsupportedMediaType"}},
      {"type: form",
       post("application/x-www-form-urlencoded", config_map_text("x")),
       {415, "UnsupportedMediaType"}},
      {"type: none", post("", config_map_text("no-type")), {201}},
      {"type: CBOR", post("application/cbor", config_map_text("x")), {415, "UnsupportedMediaType"}},
      {"type: noise", post("//;;=", config_map_text("x")), {415, "UnsupportedMediaType"}},
      {"type: latin 1", post("application/json; charset=latin1", config_map_text("latin")), {201}},
      {"type: a patch",
       post("application/merge-patch+json", config_map_text("x")),
       {415, "UnsupportedMediaType"}},
      {"accept: text", accepting("text/plain"), {406, "NotAcceptable"}},
      {"accept: noise", accepting(";;;,,,q=q"), {406, "NotAcceptable"}},
      {"accept: nothing good", accepting("application/json;q=0"), {200}},
      {"accept: an unknown form",
       accepting("application/json;as=Chair;v=v1;g=meta.k8s.io"),
       {406, "NotAcceptable"}},
      {"accept: an old table",
       accepting("application/json;as=Table;v=v1alpha1;g=meta.k8s.io"),
       {406, "NotAcceptable"}},
      {"accept: 5,000 types", accepting(repeated("text/plain,", 5000) + "application/json"), {200}},
      {"accept: CBOR", accepting("application/cbor"), {406, "NotAcceptable"}},
      {"accept: protobuf of a custom resource",
       accepting(std::string(kProtobufType), std::string(kGadgetsPath)),
       {406},
       Difference{{406, "NotAcceptable"}, "the reference answers in protobuf"}},
      {"accept: a table of a review",
       {.method = "POST",
        .target = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        .content_type = std::string(kJsonType),
        .body = R"({"spec":{"nonResourceAttributes":{"path":"/","verb":"get"}}})",
        .headers = {"Accept: application/json;as=Table;v=v1;g=meta.k8s.io"}},
       {406, "NotAcceptable"}},
  };
}

}  // namespace

std::vector<BadInput> bad_encodings() {
  return joined({yaml_inputs(), protobuf_inputs(), media_types()});
}

}  // namespace berth::kube
