#include "store/tree.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "store/names.h"

namespace berth::store {

// A leaf has entries, any other node has children; one for each name. None is empty. What a node
// has to know of its children it keeps itself: to look at all of them would cost more than all the
// rest.
struct Tree::Node {
  Names names;
  std::vector<EntryPtr> entries = {};
  std::vector<NodePtr> children = {};
  std::vector<std::size_t> counts = {};  // Entries in and below each child.
  std::size_t count = 0;                 // Entries in here and below.

  bool is_leaf() const { return children.empty(); }

  // The child that has the name, if any has.
  std::size_t child_of(std::string_view name) const {
    const std::size_t after = names.upper_bound(name);
    return after == 0 ? 0 : after - 1;
  }
};

namespace {

using Node = Tree::Node;
using NodePtr = Tree::NodePtr;

constexpr std::size_t kMost = 32;
constexpr std::size_t kLeast = 8;  // Smaller ones are joined with their neighbour when touched.

bool is_small(const Node& node) { return node.names.size() < kLeast; }

void append(Node& node, const Node& other, std::size_t from, std::size_t to) {
  node.names.append(other.names, from, to);
  const auto copy = [&](const auto& source, auto& target) {
    if (source.empty()) return;
    const auto begin = source.begin();
    target.insert(target.end(), begin + static_cast<std::ptrdiff_t>(from),
                  begin + static_cast<std::ptrdiff_t>(to));
  };
  copy(other.entries, node.entries);
  copy(other.children, node.children);
  copy(other.counts, node.counts);
}

NodePtr finished(Node node) {
  node.count = std::accumulate(node.counts.begin(), node.counts.end(), node.entries.size());
  return std::make_shared<const Node>(std::move(node));
}

// As few nodes as hold it all, of about the same size.
std::vector<NodePtr> cut(Node node) {
  const std::size_t size = node.names.size();
  if (size == 0) return {};
  const std::size_t pieces = (size + kMost - 1) / kMost;
  if (pieces == 1) return {finished(std::move(node))};
  std::vector<NodePtr> nodes;
  nodes.reserve(pieces);
  for (std::size_t i = 0; i < pieces; ++i) {
    Node piece;
    append(piece, node, size * i / pieces, size * (i + 1) / pieces);
    nodes.push_back(finished(std::move(piece)));
  }
  return nodes;
}

std::vector<NodePtr> edited_leaf(const Node& node, std::span<const Edit> edits) {
  Node result;
  std::size_t bytes = node.names.bytes();
  for (const Edit& edit : edits) bytes += edit.name.size();
  result.names.reserve(node.names.size() + edits.size(), bytes);
  result.entries.reserve(node.names.size() + edits.size());
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    const std::size_t next = std::max(at, node.names.lower_bound(edit.name));
    append(result, node, at, next);
    at = next;
    if (at < node.names.size() && node.names[at] == edit.name) ++at;
    if (!edit.entry) continue;
    result.names.push_back(edit.name);
    result.entries.push_back(edit.entry);
  }
  append(result, node, at, node.names.size());
  return cut(std::move(result));
}

// Children of one node while it is edited. Those that nobody touched are of a good size. The names
// must outlive it.
class Children {
 public:
  explicit Children(std::size_t expected) { items_.reserve(expected + 1); }

  void keep(const Node& parent, std::size_t i) {
    add({.node = parent.children[i],
         .name = parent.names[i],
         .count = parent.counts[i],
         .touched = false});
  }
  void take(const std::vector<NodePtr>& pieces) {
    for (const NodePtr& piece : pieces) add(touched(piece));
  }

  std::vector<NodePtr> cut() && {
    Node node;
    std::size_t bytes = 0;
    for (const Item& item : items_) bytes += item.name.size();
    node.names.reserve(items_.size(), bytes);
    node.children.reserve(items_.size());
    node.counts.reserve(items_.size());
    for (Item& item : items_) {
      node.names.push_back(item.name);
      node.children.push_back(std::move(item.node));
      node.counts.push_back(item.count);
    }
    return store::cut(std::move(node));
  }

 private:
  struct Item {
    NodePtr node;
    std::string_view name;  // The first in it.
    std::size_t count;
    bool touched;
  };

  static Item touched(const NodePtr& node) {
    return {.node = node, .name = node->names[0], .count = node->count, .touched = true};
  }

  void add(Item item) {
    const bool looked_at = !items_.empty() && (item.touched || items_.back().touched);
    if (!looked_at || !(is_small(*item.node) || is_small(*items_.back().node))) {
      items_.push_back(std::move(item));
      return;
    }
    Node joined = *items_.back().node;
    append(joined, *item.node, 0, item.node->names.size());
    items_.pop_back();
    for (const NodePtr& piece : store::cut(std::move(joined))) items_.push_back(touched(piece));
  }

  std::vector<Item> items_;
};

// The nodes that take the node's place: none, one or more, all of its depth.
std::vector<NodePtr> edited_node(const Node& node, std::span<const Edit> edits) {
  if (node.is_leaf()) return edited_leaf(node, edits);
  Children children(node.children.size());
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const bool last = i + 1 == node.children.size();
    const auto end =
        last ? edits.end() : std::ranges::lower_bound(edits, node.names[i + 1], {}, &Edit::name);
    const auto count = static_cast<std::size_t>(end - edits.begin());
    if (count == 0) {
      children.keep(node, i);
    } else {
      children.take(edited_node(*node.children[i], edits.first(count)));
      edits = edits.subspan(count);
    }
  }
  return std::move(children).cut();
}

bool visit_node(const Node& node, std::string_view from, const Tree::Visitor& visitor) {
  if (node.is_leaf()) {
    for (std::size_t i = node.names.lower_bound(from); i < node.entries.size(); ++i) {
      if (!visitor(node.names[i], node.entries[i])) return false;
    }
    return true;
  }
  const std::size_t first = node.child_of(from);
  for (std::size_t i = first; i < node.children.size(); ++i) {
    if (!visit_node(*node.children[i], i == first ? from : "", visitor)) return false;
  }
  return true;
}

// A place in a tree, which moves over its entries in the order of names.
class Cursor {
 public:
  explicit Cursor(const Node* root) {
    if (root) descend(root);
  }

  bool is_at_end() const { return path_.empty(); }
  std::string_view name() const { return path_.back().node->names[path_.back().at]; }
  const EntryPtr& entry() const { return path_.back().node->entries[path_.back().at]; }

  void next() { leave(path_.size()); }

  // Over the largest node that begins at both places, if there is one.
  static bool skip_common(Cursor& a, Cursor& b) {
    for (std::size_t i = a.first_beginning(); i < a.path_.size(); ++i) {
      for (std::size_t j = b.first_beginning(); j < b.path_.size(); ++j) {
        if (a.path_[i].node != b.path_[j].node) continue;
        a.leave(i);
        b.leave(j);
        return true;
      }
    }
    return false;
  }

 private:
  struct Step {
    const Node* node;
    std::size_t at;
  };

  // The highest level of those whose node begins here.
  std::size_t first_beginning() const {
    std::size_t level = path_.size();
    while (level > 0 && path_[level - 1].at == 0) --level;
    return level;
  }

  void descend(const Node* node) {
    path_.push_back({.node = node, .at = 0});
    while (!path_.back().node->is_leaf()) {
      const Step& step = path_.back();
      path_.push_back({.node = step.node->children[step.at].get(), .at = 0});
    }
  }

  // What is below that level is done with.
  void leave(std::size_t level) {
    path_.resize(level);
    while (!path_.empty() && ++path_.back().at == path_.back().node->names.size()) {
      path_.pop_back();
    }
    if (path_.empty() || path_.back().node->is_leaf()) return;
    descend(path_.back().node->children[path_.back().at].get());
  }

  std::vector<Step> path_;
};

}  // namespace

std::size_t Tree::size() const { return root_ ? root_->count : 0; }

EntryPtr Tree::find(std::string_view name) const {
  const Node* node = root_.get();
  if (!node) return nullptr;
  while (!node->is_leaf()) node = node->children[node->child_of(name)].get();
  const std::size_t at = node->names.lower_bound(name);
  const bool found = at < node->names.size() && node->names[at] == name;
  return found ? node->entries[at] : nullptr;
}

std::size_t Tree::rank(std::string_view name) const {
  const Node* node = root_.get();
  if (!node) return 0;
  std::size_t less = 0;
  while (!node->is_leaf()) {
    const std::size_t child = node->child_of(name);
    for (std::size_t i = 0; i < child; ++i) less += node->counts[i];
    node = node->children[child].get();
  }
  return less + node->names.lower_bound(name);
}

void Tree::visit(std::string_view from, const Visitor& visitor) const {
  if (root_) visit_node(*root_, from, visitor);
}

void Tree::visit_changes(const Tree& before, const Tree& after, const ChangeVisitor& visitor) {
  Cursor old(before.root_.get());
  Cursor now(after.root_.get());
  while (!old.is_at_end() || !now.is_at_end()) {
    if (Cursor::skip_common(old, now)) continue;
    if (now.is_at_end() || (!old.is_at_end() && old.name() < now.name())) {
      visitor(old.name(), old.entry(), nullptr);
      old.next();
    } else if (old.is_at_end() || now.name() < old.name()) {
      visitor(now.name(), nullptr, now.entry());
      now.next();
    } else {
      if (old.entry() != now.entry()) visitor(now.name(), old.entry(), now.entry());
      old.next();
      now.next();
    }
  }
}

Tree Tree::edited(std::span<const Edit> edits) const {
  if (edits.empty()) return *this;
  std::vector<NodePtr> nodes = root_ ? edited_node(*root_, edits) : edited_leaf(Node(), edits);
  while (nodes.size() > 1) {
    Children children(nodes.size());
    children.take(nodes);
    nodes = std::move(children).cut();
  }
  Tree tree;
  if (nodes.empty()) return tree;
  tree.root_ = nodes[0];
  while (!tree.root_->is_leaf() && tree.root_->children.size() == 1) {
    tree.root_ = NodePtr(tree.root_->children[0]);
  }
  return tree;
}

}  // namespace berth::store
