#include "fleet/addons/works.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "fleet/addons/manifest.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

json::Value config_map(const std::string& name, std::size_t bytes = 0) {
  json::Value made = parsed(R"({"apiVersion":"v1","kind":"ConfigMap"})");
  made["metadata"]["name"] = name;
  made["metadata"]["namespace"] = "n";
  made["data"]["x"] = std::string(bytes, 'x');
  return made;
}

json::Value job(const std::string& name) {
  json::Value made = parsed(R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"namespace":"n",
      "annotations":{"addon.open-cluster-management.io/addon-pre-delete":""}}})");
  made["metadata"]["name"] = name;
  return made;
}

class DeployWorks : public ::testing::Test {
 protected:
  WorksView view() {
    pointers_.clear();
    for (const json::Value& work : works_) pointers_.push_back(&work);
    return {.key = key_,
            .owner = owner_,
            .config_hashes = hashes_,
            .manifests = manifests_,
            .existing = pointers_,
            .size_max = size_max_};
  }

  // Carries the plan out. What changed, as "+addon-score-deploy-0 ~... -...".
  std::string apply() {
    std::vector<std::string> parts;
    std::vector<json::Value> next = works_;
    for (const AddOnChange& change : plan_deploy_works(view())) {
      const json::Value& named = change.after ? *change.after : *change.before;
      const std::string name(api::Metadata(named).name());
      parts.push_back((change.before ? (change.after ? "~" : "-") : "+") + name);
      std::erase_if(next,
                    [&](const json::Value& work) { return api::Metadata(work).name() == name; });
      if (change.after) next.push_back(*change.after);
    }
    works_ = next;
    return join(parts, " ");
  }

  std::string names_in(std::size_t work) {
    std::vector<std::string> names;
    const json::Value* manifests = works_[work].find_path({"spec", "workload", "manifests"});
    for (const json::Value& manifest : manifests->elements()) {
      names.push_back(name_of_manifest(manifest).object.name);
    }
    return join(names, " ");
  }

  AddOnKey key_{.cluster = "c1", .name = "score"};
  api::OwnerReference owner_{.api_version = "a/v1", .kind = "K", .name = "score", .uid = "u"};
  std::string hashes_ = R"({"t":"1"})";
  std::vector<json::Value> manifests_;
  std::vector<json::Value> works_;
  std::vector<const json::Value*> pointers_;
  std::size_t size_max_ = kWorkSizeMax;
};

TEST_F(DeployWorks, CarryAllManifestsWithTheHashesOfTheirConfigurations) {
  manifests_ = {config_map("a"), config_map("b")};
  EXPECT_EQ(apply(), "+addon-score-deploy-0");
  EXPECT_EQ(names_in(0), "a b");
  const api::Metadata metadata(works_[0]);
  EXPECT_EQ(metadata.namespace_name(), "c1");
  EXPECT_EQ(metadata.labels().find("open-cluster-management.io/addon-name"), "score");
  EXPECT_EQ(metadata.annotations().find("open-cluster-management.io/config-spec-hash"), hashes_);
  EXPECT_EQ(metadata.owner_references(), std::vector{owner_});
  EXPECT_EQ(apply(), "") << "nothing changed";
}

TEST_F(DeployWorks, AreCutWhereAWorkIsFull) {
  size_max_ = 1000;
  manifests_ = {config_map("a", 600), config_map("b", 600), config_map("c", 100)};
  EXPECT_EQ(apply(), "+addon-score-deploy-0 +addon-score-deploy-1");
  EXPECT_EQ(names_in(0), "a c");
  EXPECT_EQ(names_in(1), "b");
}

TEST_F(DeployWorks, KeepEachManifestInItsWork) {
  size_max_ = 1000;
  manifests_ = {config_map("a", 600), config_map("b", 600)};
  apply();
  manifests_ = {config_map("new", 100), config_map("b", 500), config_map("a", 700)};
  EXPECT_EQ(apply(), "~addon-score-deploy-0 ~addon-score-deploy-1");
  EXPECT_EQ(names_in(0), "a");
  EXPECT_EQ(names_in(1), "b new");
}

TEST_F(DeployWorks, GoWhenNothingIsLeftInThemAndTheirNamesAreUsedAgain) {
  size_max_ = 1000;
  manifests_ = {config_map("a", 600), config_map("b", 600)};
  apply();
  manifests_ = {config_map("b", 600)};
  EXPECT_EQ(apply(), "-addon-score-deploy-0");
  manifests_ = {config_map("b", 600), config_map("c", 600)};
  EXPECT_EQ(apply(), "+addon-score-deploy-0");
}

TEST_F(DeployWorks, LeaveBehindWhatIsMarked) {
  json::Value marked = parsed(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shared",
      "annotations":{"addon.open-cluster-management.io/deletion-orphan":""}}})");
  manifests_ = {marked, config_map("a")};
  apply();
  EXPECT_EQ(*works_[0].find_path({"spec", "deleteOption"}), parsed(R"({
      "propagationPolicy":"SelectivelyOrphan","selectivelyOrphans":{"orphaningRules":[
        {"resource":"namespaces","name":"shared"}]}})"));
}

TEST_F(DeployWorks, LeaveAloneWhatOthersPutOnThem) {
  manifests_ = {config_map("a")};
  apply();
  works_[0]["metadata"]["labels"]["theirs"] = "x";
  works_[0]["metadata"]["annotations"]["theirs"] = "y";
  EXPECT_EQ(apply(), "");
  hashes_ = R"({"t":"2"})";
  EXPECT_EQ(apply(), "~addon-score-deploy-0");
  EXPECT_EQ(api::Metadata(works_[0]).labels().find("theirs"), "x");
}

TEST_F(DeployWorks, DoNotCarryWhatRunsBeforeTheAddOnGoes) {
  manifests_ = {config_map("a"), job("cleanup")};
  apply();
  EXPECT_EQ(names_in(0), "a");
  const auto hook = make_hook_work(view());
  ASSERT_TRUE(hook);
  EXPECT_EQ(api::Metadata(*hook).name(), "addon-score-pre-delete");
  EXPECT_EQ(*hook->find_path({"spec", "manifestConfigs"}), parsed(R"([
      {"resourceIdentifier":{"group":"batch","resource":"jobs","name":"cleanup","namespace":"n"},
       "feedbackRules":[{"type":"WellKnownStatus"}]}])"));
  works_.push_back(*hook);
  EXPECT_FALSE(plan_hook_work(view()));
}

TEST_F(DeployWorks, KnowWhenWhatRunsBeforeHasRun) {
  manifests_ = {job("cleanup")};
  json::Value hook = *make_hook_work(view());
  EXPECT_FALSE(is_hook_complete(hook));
  hook["status"] = parsed(R"({"conditions":[{"type":"Available","status":"True"}],
      "resourceStatus":{"manifests":[{"resourceMeta":{"group":"batch","resource":"jobs",
        "name":"cleanup","namespace":"n"},"statusFeedback":{"values":[
        {"name":"JobComplete","fieldValue":{"type":"String","string":"True"}}]}}]}})");
  EXPECT_TRUE(is_hook_complete(hook));
  manifests_ = {config_map("a")};
  EXPECT_FALSE(make_hook_work(view()));
}

}  // namespace
}  // namespace berth::fleet
