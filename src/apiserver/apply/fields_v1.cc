#include "apiserver/apply/fields_v1.h"

#include <optional>
#include <utility>
#include <vector>

namespace berth::apiserver {
namespace {

using json::Value;
using Node = FieldSet::Node;

constexpr std::string_view kSelf = ".";

Result<FieldSet> decode_members(const Value& fields);

Result<Node> decode_node(PathElement element, const Value& below) {
  auto children = decode_members(below);
  if (!children.ok()) return failure(std::move(children).error().in_context(text_of(element)));
  const bool is_member = children->is_empty() || below.find(kSelf);
  return Node{std::move(element), is_member, *std::move(children)};
}

Result<FieldSet> decode_members(const Value& fields) {
  if (!fields.is_object()) return failure(Code::BadRequest, "expected an object of fields");
  std::vector<Node> nodes;
  nodes.reserve(fields.size());
  for (const json::Member& member : fields.members()) {
    if (member.name() == kSelf) continue;
    ASSIGN_OR_RETURN(std::optional<PathElement> element, decode_element(member.name()));
    if (!element) continue;
    if (member.value.is_object() && member.value.size() == 0) {
      nodes.push_back({*std::move(element), true, {}});  // As most are.
      continue;
    }
    ASSIGN_OR_RETURN(Node node, decode_node(*std::move(element), member.value));
    nodes.push_back(std::move(node));
  }
  return FieldSet::from_nodes(std::move(nodes));
}

enum class Self { Absent, Named };

Value encode_level(const FieldSet& set, Self self) {
  std::vector<json::Member> members;
  members.reserve(set.nodes().size() + 1);
  if (self == Self::Named) members.push_back({Value(kSelf), Value::object()});
  for (const Node& node : set.nodes()) {
    const bool names_itself = node.is_member && !node.children.is_empty();
    members.push_back({Value(encode_element(node.element)),
                       encode_level(node.children, names_itself ? Self::Named : Self::Absent)});
  }
  return Value::take_object(members);
}

}  // namespace

Result<FieldSet> decode_fields(const Value& fields) { return decode_members(fields); }

Value encode_fields(const FieldSet& set) { return encode_level(set, Self::Absent); }

}  // namespace berth::apiserver
