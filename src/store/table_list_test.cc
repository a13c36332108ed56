#include "store/table_list.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"

namespace berth::store {
namespace {

NamedTablePtr table(const std::string& name, Revision revision) {
  return std::make_shared<const NamedTable>(
      NamedTable{.name = name, .table = Table(Tree(), revision)});
}

std::map<std::string, Revision> content(const TableList& list) {
  std::map<std::string, Revision> all;
  std::string last;
  for (const NamedTablePtr& each : list.all()) {
    EXPECT_LT(last, each->name);  // In their order, each once.
    last = each->name;
    all[each->name] = each->table.revision();
  }
  return all;
}

TEST(TableList, IsAMapByNameWhateverIsPutIntoIt) {
  Random random(1);
  TableList list;
  std::map<std::string, Revision> model;
  for (Revision revision = 1; revision <= 3000; ++revision) {
    const std::string name = "t" + std::to_string(random.below(1000));
    list.put(table(name, revision));
    model[name] = revision;
    ASSERT_EQ(list.find(name)->table.revision(), revision);
  }
  EXPECT_EQ(content(list), model);
  EXPECT_EQ(content(TableList(list.all())), model);
  EXPECT_EQ(list.find("t"), nullptr);
  EXPECT_EQ(list.find("u"), nullptr);
}

TEST(TableList, ACopyKeepsWhatItHadAndSharesIt) {
  TableList list;
  for (int i = 0; i < 500; ++i) list.put(table(std::to_string(i), 1));
  const TableList before = list;
  list.put(table("250", 2));
  list.put(table("new", 2));
  EXPECT_EQ(before.find("250")->table.revision(), 1U);
  EXPECT_EQ(before.find("new"), nullptr);
  EXPECT_EQ(list.find("250")->table.revision(), 2U);
  EXPECT_EQ(list.find("100"), before.find("100"));
}

TEST(TableList, VisitsFromANameOnUntilItIsToldToStop) {
  TableList list;
  for (int i = 1000; i < 2000; ++i) list.put(table(std::to_string(i), 1));
  std::vector<std::string> seen;
  list.visit("15", [&seen](const NamedTablePtr& each) {
    seen.push_back(each->name);
    return seen.size() < 3;
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"1500", "1501", "1502"}));
  list.visit("3", [](const NamedTablePtr&) -> bool {
    ADD_FAILURE();
    return true;
  });
  TableList().visit("", [](const NamedTablePtr&) -> bool {
    ADD_FAILURE();
    return true;
  });
}

}  // namespace
}  // namespace berth::store
