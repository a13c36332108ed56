#include "fleet/registration/removal.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "fleet/registration/names.h"

namespace berth::fleet {
namespace {

using json::Value;

Value work(std::string_view name, std::string_view priority = "") {
  Value object = Value::object({{"metadata", Value::object({{"name", name}})}});
  if (!priority.empty()) {
    object["metadata"]["annotations"] =
        Value::object({{"open-cluster-management.io/cleanup-priority", priority}});
  }
  return object;
}

Value deleting(Value object) {
  object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  object["metadata"]["finalizers"] = Value::array({"f"});
  return object;
}

using Names = std::vector<std::string>;

TEST(Removal, GoesByPriority) {
  EXPECT_EQ(next_to_remove({}), Names{});
  const std::vector<Value> works = {work("last", "100"), work("b", "10"), work("a", "10")};
  EXPECT_EQ(next_to_remove(works), (Names{"a", "b"}));
}

TEST(Removal, CountsWhatIsNoPriorityAsTheFirst) {
  const std::vector<Value> works = {work("a", "abc"), work("b", "300"), work("c", "-1"),
                                    work("d"),        work("e", "0"),   work("f", "1")};
  EXPECT_EQ(next_to_remove(works), (Names{"a", "b", "c", "d", "e"}));
}

TEST(Removal, WaitsForThoseThatGoFirst) {
  const std::vector<Value> works = {deleting(work("a", "1")), work("b", "2")};
  EXPECT_EQ(next_to_remove(works), Names{});
}

std::string condition(const Value& cluster) {
  const Value* found = api::find_condition(*cluster.find_path({"status", "conditions"}), kDeleting);
  return api::text_field(*found, "status") + " " + api::text_field(*found, "reason") + " " +
         api::text_field(*found, "message");
}

TEST(Removal, TellsHowFarItIsInOcmsWords) {
  const Remainder works{.content = Content::Works, .objects = {deleting(work("a")), work("b")}};
  EXPECT_EQ(condition(with_remaining(Value(), works, Time())),
            "False ResourceRemaining The resource manifestworks is remaning, the remaining count "
            "is 2, the finalizer pending count is 1");
  EXPECT_EQ(condition(with_nothing_remaining(Value(), Time())),
            "True NoResource No cleaned resource in cluster ns.");
  EXPECT_EQ(condition(with_removal_error(Value(), "no", Time())), "False DeletingError no");
}

}  // namespace
}  // namespace berth::fleet
