#include "apiserver/apply/compare.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "apiserver/apply/member_pairs.h"

namespace berth::apiserver {
namespace {

using json::Value;
using Node = FieldSet::Node;

// What is found at one place: whether it changed itself, and what changed below.
struct Finding {
  bool is_removed = false;
  bool is_modified = false;
  bool is_added = false;
  bool is_leaf = false;  // Nothing below is looked at.
  Changes below = {};
};

// Both sides of one place; at most one is nullptr.
struct Sides {
  const Value* before = nullptr;
  const Value* after = nullptr;
};

// Puts the findings about the parts of one place together.
class Gathering {
 public:
  void add(PathElement element, Finding finding) {
    put(removed_, element, finding.is_removed, std::move(finding.below.removed));
    put(modified_, element, finding.is_modified, std::move(finding.below.modified));
    put(added_, element, finding.is_added, std::move(finding.below.added));
  }

  Changes take() {
    return {FieldSet::from_nodes(std::move(removed_)), FieldSet::from_nodes(std::move(modified_)),
            FieldSet::from_nodes(std::move(added_))};
  }

 private:
  static void put(std::vector<Node>& nodes, const PathElement& element, bool is_member,
                  FieldSet children) {
    if (is_member || !children.is_empty()) {
      nodes.push_back({element, is_member, std::move(children)});
    }
  }

  std::vector<Node> removed_;
  std::vector<Node> modified_;
  std::vector<Node> added_;
};

bool says_something(const Finding& finding) {
  return finding.is_removed || finding.is_modified || finding.is_added || !finding.below.is_empty();
}

Finding leaf(const Sides& sides) {
  Finding finding{.is_leaf = true};
  finding.is_added = !sides.before;
  finding.is_removed = !sides.after;
  finding.is_modified = sides.before && sides.after && *sides.before != *sides.after;
  return finding;
}

Result<Finding> compare_at(const TypeRef& type, const Sides& sides);

const Value* filled(const Value* value, json::Kind kind) {
  return value && value->kind() == kind && value->size() > 0 ? value : nullptr;
}

// Most members are scalars that stay as they are: no more need be asked about those.
bool is_same_scalar(const Value* before, const Value* after) {
  if (!before || !after || before->kind() != after->kind()) return false;
  return !before->is_object() && !before->is_array() && *before == *after;
}

Result<Finding> compare_maps(const TypeRef& type, const Sides& sides) {
  const Value* before = filled(sides.before, json::Kind::Object);
  const Value* after = filled(sides.after, json::Kind::Object);
  // Nothing against nothing is a leaf too: null and {} are told apart.
  if (type.is_atomic(Shape::Map) || (!before && !after)) return leaf(sides);

  Gathering gathering;
  Status status;
  for_each_pair(before, after, [&](std::string_view name, const Value* left, const Value* right) {
    if (!status.ok() || is_same_scalar(left, right)) return;
    if (!left) left = type.zero_of(name);
    if (!right) right = type.zero_of(name);
    auto finding = compare_at(type.member(name), {left, right});
    if (!finding.ok()) {
      status = failure(std::move(finding).error());
    } else if (says_something(*finding)) {
      gathering.add(PathElement::field(name), *std::move(finding));
    }
  });
  RETURN_IF_ERROR(status);
  return Finding{.below = gathering.take()};
}

// An element of an associative list with everything that goes by its name.
struct Item {
  PathElement element;
  std::vector<const Value*> before;
  std::vector<const Value*> after;
};

struct NamedElement {
  PathElement element;
  const Value* value;  // In the list, so that addresses keep its order.

  friend bool operator<(const NamedElement& a, const NamedElement& b) {
    const auto order = a.element <=> b.element;
    return order != 0 ? order < 0 : a.value < b.value;
  }
};

Result<std::vector<NamedElement>> named_elements(const TypeRef& type, const Value* list) {
  std::vector<NamedElement> named;
  if (!list) return named;
  named.reserve(list->size());
  for (const Value& value : list->elements()) {
    ASSIGN_OR_RETURN(PathElement element, type.element_of(value));
    named.push_back({std::move(element), &value});
  }
  std::sort(named.begin(), named.end());
  return named;
}

Result<std::vector<Item>> items_of(const TypeRef& type, const Value* before, const Value* after) {
  ASSIGN_OR_RETURN(std::vector<NamedElement> lefts, named_elements(type, before));
  ASSIGN_OR_RETURN(std::vector<NamedElement> rights, named_elements(type, after));
  std::vector<Item> items;
  auto left = lefts.begin();
  auto right = rights.begin();
  while (left != lefts.end() || right != rights.end()) {
    const bool left_is_first =
        right == rights.end() || (left != lefts.end() && left->element <= right->element);
    Item item{.element = left_is_first ? left->element : right->element, .before = {}, .after = {}};
    for (; left != lefts.end() && left->element == item.element; ++left) {
      item.before.push_back(left->value);
    }
    for (; right != rights.end() && right->element == item.element; ++right) {
      item.after.push_back(right->value);
    }
    items.push_back(std::move(item));
  }
  return items;
}

bool equal_values(const std::vector<const Value*>& a, const std::vector<const Value*>& b) {
  return std::ranges::equal(a, b,
                            [](const Value* left, const Value* right) { return *left == *right; });
}

Result<Finding> compare_items(const TypeRef& type, const Item& item) {
  const Value* before = item.before.empty() ? nullptr : item.before.front();
  const Value* after = item.after.empty() ? nullptr : item.after.front();
  const bool was_several = item.before.size() > 1;
  const bool is_several = item.after.size() > 1;
  if (!was_several && !is_several) return compare_at(type.item(), {before, after});
  if (was_several && is_several) {
    return Finding{.is_modified = !equal_values(item.before, item.after)};
  }
  // Several elements of one name count as one without parts; a single one beside them has parts.
  Finding finding;
  if (was_several) {
    if (after) {
      ASSIGN_OR_RETURN(finding, compare_at(type.item(), {nullptr, after}));
    }
    finding.is_removed = true;
  } else {
    if (before) {
      ASSIGN_OR_RETURN(finding, compare_at(type.item(), {before, nullptr}));
    }
    finding.is_added = true;
  }
  return finding;
}

Result<Finding> compare_lists(const TypeRef& type, const Sides& sides) {
  const Value* before = filled(sides.before, json::Kind::Array);
  const Value* after = filled(sides.after, json::Kind::Array);
  if (type.is_atomic(Shape::List) || (!before && !after)) return leaf(sides);
  if (before && after && *before == *after) return Finding{};

  Gathering gathering;
  ASSIGN_OR_RETURN(std::vector<Item> items, items_of(type, before, after));
  for (Item& item : items) {
    ASSIGN_OR_RETURN(Finding finding, compare_items(type, item));
    if (says_something(finding)) gathering.add(std::move(item.element), std::move(finding));
  }
  return Finding{.below = gathering.take()};
}

Finding both(Finding a, Finding b) {
  return {.is_removed = a.is_removed || b.is_removed,
          .is_modified = a.is_modified || b.is_modified,
          .is_added = a.is_added || b.is_added,
          .is_leaf = a.is_leaf,
          .below = {unite(std::move(a.below.removed), std::move(b.below.removed)),
                    unite(std::move(a.below.modified), std::move(b.below.modified)),
                    unite(std::move(a.below.added), std::move(b.below.added))}};
}

Result<Finding> compare_as(Shape shape, const TypeRef& type, const Sides& sides) {
  switch (shape) {
    case Shape::Map:
      return compare_maps(type, sides);
    case Shape::List:
      return compare_lists(type, sides);
    case Shape::Scalar:
      break;
  }
  return leaf(sides);
}

Result<Finding> compare_at(const TypeRef& type, const Sides& sides) {
  const auto shapes_before = type.shapes_for(sides.before);
  const auto shapes_after = type.shapes_for(sides.after);
  const Shape shape = sides.after ? shapes_after.first() : shapes_before.first();
  ASSIGN_OR_RETURN(Finding finding, compare_as(shape, type, sides));
  if (sides.before && sides.after && shapes_before != shapes_after) {
    // Of another shape than before: what it was counts too.
    ASSIGN_OR_RETURN(Finding other, compare_as(shapes_before.first(), type, sides));
    finding = both(std::move(finding), std::move(other));
  }
  if (!finding.is_leaf && !sides.before) finding.is_added = true;
  if (!finding.is_leaf && !sides.after) finding.is_removed = true;
  return finding;
}

}  // namespace

Result<Changes> compare(const Value& before, const Value& after, const TypeRef& type) {
  ASSIGN_OR_RETURN(Finding finding, compare_at(type, {&before, &after}));
  return std::move(finding).below;
}

}  // namespace berth::apiserver
