#include "store/tree.h"

#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"

namespace berth::store {
namespace {

using Model = std::map<std::string, EntryPtr>;

EntryPtr entry(Revision revision) {
  return std::make_shared<const Entry>(Entry{.text = "x", .version_at = 0, .revision = revision});
}

Model contents(const Tree& tree, std::string_view from = "") {
  Model model;
  std::string last;
  tree.visit(from, [&](std::string_view name, const EntryPtr& each) {
    EXPECT_TRUE(model.empty() || last < name);
    last = name;
    model.emplace(name, each);
    return true;
  });
  return model;
}

// Edits drawn from a pool of names, so that they meet names that are there and names that are not.
std::map<std::string, EntryPtr> draw_edits(Random& random, std::uint64_t pool, double removals) {
  std::map<std::string, EntryPtr> edits;
  const std::uint64_t count = 1 + random.below(random.chance(0.1) ? 300 : 10);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("{}/{}", random.below(7), random.below(pool));
    edits[name] = random.chance(removals) ? nullptr : entry(random.next());
  }
  return edits;
}

Tree edited(const Tree& tree, const std::map<std::string, EntryPtr>& changes) {
  std::vector<Edit> edits;
  for (const auto& [name, each] : changes) edits.push_back({.name = name, .entry = each});
  return tree.edited(edits);
}

Model edited(Model model, const std::map<std::string, EntryPtr>& changes) {
  for (const auto& [name, each] : changes) {
    if (each) {
      model[name] = each;
    } else {
      model.erase(name);
    }
  }
  return model;
}

RC_GTEST_PROP(Tree, BehavesLikeAnOrderedMap, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const std::uint64_t pool = 1 + random.below(500);
  Tree tree;
  Model model;
  for (int step = 0; step < 60; ++step) {
    const double removals = step < 30 ? 0.2 : 0.8;  // It grows, then it shrinks.
    const auto edits = draw_edits(random, pool, removals);
    const Tree before = tree;
    tree = edited(tree, edits);
    RC_ASSERT(contents(before) == model);  // The old one is what it was.
    model = edited(model, edits);
    RC_ASSERT(tree.size() == model.size());
    RC_ASSERT(contents(tree) == model);
    const std::string name = fmt::format("{}/{}", random.below(8), random.below(pool));
    const auto found = model.find(name);
    RC_ASSERT(tree.find(name) == (found == model.end() ? nullptr : found->second));
    const auto from = model.lower_bound(name);
    RC_ASSERT(contents(tree, name) == Model(from, model.end()));
    RC_ASSERT(tree.rank(name) == static_cast<std::size_t>(std::distance(model.begin(), from)));
  }
}

RC_GTEST_PROP(Tree, KnowsWhatHasChanged, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const std::uint64_t pool = 1 + random.below(5000);
  Tree tree;
  for (int step = 0; step < 12; ++step) {
    const Tree before = tree;
    const double removals = step < 8 ? 0.2 : 0.8;
    for (std::uint64_t i = random.below(4); i < 4; ++i) {
      tree = edited(tree, draw_edits(random, pool, removals));
    }
    Model changed = contents(before);
    std::string last;
    Tree::visit_changes(before, tree,
                        [&](std::string_view name, const EntryPtr& was, const EntryPtr& is) {
                          RC_ASSERT(last.empty() || last < name);
                          RC_ASSERT(was != is);
                          RC_ASSERT(before.find(name) == was);
                          last = name;
                          changed = edited(std::move(changed), {{last, is}});
                        });
    RC_ASSERT(changed == contents(tree));
  }
}

TEST(Tree, IsEmptyAtFirstAndAfterTheLastRemoval) {
  Tree tree;
  EXPECT_EQ(tree.size(), 0u);
  EXPECT_EQ(tree.find("a"), nullptr);
  EXPECT_EQ(tree.rank("a"), 0u);
  EXPECT_TRUE(contents(tree).empty());
  tree = edited(tree, {{"a", entry(1)}});
  tree = edited(tree, {{"a", nullptr}});
  EXPECT_EQ(tree.size(), 0u);
  EXPECT_TRUE(contents(tree).empty());
  EXPECT_EQ(edited(tree, {{"b", nullptr}}).size(), 0u);
}

TEST(Tree, VisitorsMayStop) {
  Tree tree;
  for (int i = 0; i < 1000; ++i) tree = edited(tree, {{fmt::format("{:04}", i), entry(1)}});
  int seen = 0;
  tree.visit("0500", [&](std::string_view name, const EntryPtr&) {
    EXPECT_EQ(name, fmt::format("{:04}", 500 + seen));
    return ++seen < 100;
  });
  EXPECT_EQ(seen, 100);
}

TEST(Tree, SharesEntriesWithWhatItWasMadeFrom) {
  Tree tree;
  for (int i = 0; i < 1000; ++i) tree = edited(tree, {{fmt::format("{:04}", i), entry(1)}});
  const Tree next = edited(tree, {{"0007", entry(2)}});
  EXPECT_EQ(tree.find("0007")->revision, 1u);
  EXPECT_EQ(next.find("0007")->revision, 2u);
  EXPECT_EQ(next.find("0999"), tree.find("0999"));
  // Held by at most the leaf that both trees share: the far end was not copied.
  EXPECT_EQ(next.find("0999").use_count(), 2);
}

}  // namespace
}  // namespace berth::store
