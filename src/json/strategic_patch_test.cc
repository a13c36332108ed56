#include "json/strategic_patch.h"

#include <map>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::json {
namespace {

// A type that is written down as a table.
class Type final : public PatchSchema {
 public:
  Type(std::string name, std::map<std::string, PatchField, std::less<>> fields)
      : name_(std::move(name)), fields_(std::move(fields)) {}

  std::optional<PatchField> field(std::string_view name) const override {
    const auto found = fields_.find(name);
    return found == fields_.end() ? std::nullopt : std::optional(found->second);
  }
  std::string_view name() const override { return name_; }

 private:
  std::string name_;
  std::map<std::string, PatchField, std::less<>> fields_;
};

// As much of a Pod as the cases need.
class Pod {
 public:
  const PatchSchema& schema() const { return pod_; }

 private:
  static PatchField merged(std::string key, const PatchSchema* type = nullptr) {
    return {.strategy = PatchStrategy::Merge, .merge_key = std::move(key), .type = type};
  }

  Type port_{"ContainerPort", {{"name", {}}, {"containerPort", {}}}};
  Type container_{"Container",
                  {{"name", {}},
                   {"args", {}},
                   {"env", merged("name")},
                   {"ports", merged("containerPort", &port_)}}};
  Type volume_{"Volume", {{"name", {}}, {"hostPath", {}}, {"emptyDir", {}}}};
  Type meta_{"ObjectMeta",
             {{"labels", {}}, {"finalizers", merged("")}, {"ownerReferences", merged("uid")}}};
  Type spec_{"PodSpec",
             {{"containers", merged("name", &container_)},
              {"volumes", merged("name", &volume_)},
              {"nodeSelector", {}},
              {"tolerations", {}},
              {"overhead", {.strategy = PatchStrategy::Replace}},
              {"hostAliases", merged("")}}};
  Type status_{"PodStatus", {{"conditions", merged("type")}}};
  Type pod_{
      "Pod",
      {{"metadata", {.type = &meta_}}, {"spec", {.type = &spec_}}, {"status", {.type = &status_}}}};
};

Value json(std::string_view text) { return parse(text).value(); }

Result<Value> patch(std::string_view document, std::string_view change) {
  return apply_strategic_patch(json(document), json(change), Pod().schema());
}

TEST(StrategicPatch, AppliesAsKubernetesDoes) {
  struct Case {
    std::string_view document;
    std::string_view patch;
    std::string_view result;
  };
  const Case cases[] = {
      {R"({"spec":{"containers":[{"name":"a","image":"x"},{"name":"b","image":"y"}]}})",
       R"({"spec":{"containers":[{"name":"b","image":"z"}]}})",
       R"({"spec":{"containers":[{"image":"x","name":"a"},{"image":"z","name":"b"}]}})"},
      {R"({"spec":{"containers":[{"name":"a","image":"x"},{"name":"b","image":"y"}]}})",
       R"({"spec":{"containers":[{"name":"c","image":"n"},{"name":"a","image":"z"}]}})",
       R"({"spec":{"containers":[{"image":"n","name":"c"},{"image":"z","name":"a"},{"image":"y","name":"b"}]}})"},
      {R"({"spec":{"containers":[{"name":"a","image":"x"},{"name":"b","image":"y"}]}})",
       R"({"spec":{"containers":[{"name":"a","$patch":"delete"}]}})",
       R"({"spec":{"containers":[{"image":"y","name":"b"}]}})"},
      {R"({"spec":{"containers":[{"name":"a","image":"x"},{"name":"b","image":"y"}]}})",
       R"({"spec":{"containers":[{"$patch":"replace"},{"name":"n"}]}})",
       R"({"spec":{"containers":[{"name":"n"}]}})"},
      {R"({"spec":{"containers":[{"name":"a","image":"x"},{"name":"b","image":"y"}]}})",
       R"({"spec":{"containers":[{"name":"a","image":null}]}})",
       R"({"spec":{"containers":[{"name":"a"},{"image":"y","name":"b"}]}})"},
      {R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
       R"({"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"a"}]}})",
       R"({"spec":{"containers":[{"name":"b"},{"name":"c"},{"name":"a"}]}})"},
      {R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
       R"({"spec":{"$setElementOrder/containers":[{"name":"d"},{"name":"c"},{"name":"a"}],"containers":[{"name":"d","image":"i"}]}})",
       R"({"spec":{"containers":[{"image":"i","name":"d"},{"name":"b"},{"name":"c"},{"name":"a"}]}})"},
      {R"({"spec":{}})",
       R"({"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"a"}],"containers":[{"name":"c","image":"1"},{"name":"a","image":null}]}})",
       R"({"spec":{"containers":[{"image":"1","name":"c"},{"name":"a"}]}})"},
      {R"({"spec":{"containers":[{"name":"a","args":["1","2"]}]}})",
       R"({"spec":{"containers":[{"name":"a","args":["3"]}]}})",
       R"({"spec":{"containers":[{"args":["3"],"name":"a"}]}})"},
      {R"({"metadata":{"finalizers":["a","b","c"]}})", R"({"metadata":{"finalizers":["d","b"]}})",
       R"({"metadata":{"finalizers":["d","a","b","c"]}})"},
      {R"({"metadata":{"finalizers":["a","b","c"]}})",
       R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["b","x"]}})",
       R"({"metadata":{"finalizers":["a","c"]}})"},
      {R"({"metadata":{"finalizers":["a","b","c"]}})",
       R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["b"],"finalizers":["z"],"$setElementOrder/finalizers":["z","a","c"]}})",
       R"({"metadata":{"finalizers":["z","a","c"]}})"},
      {R"({"metadata":{"finalizers":["a","b","c"]}})",
       R"({"metadata":{"$setElementOrder/finalizers":["c","b"]}})",
       R"({"metadata":{"finalizers":["a","c","b"]}})"},
      {R"({"metadata":{"labels":{"a":"1","b":"2"}}})",
       R"({"metadata":{"labels":{"a":null,"c":"3"}}})",
       R"({"metadata":{"labels":{"b":"2","c":"3"}}})"},
      {R"({"metadata":{"labels":{"a":"1","b":"2"}}})",
       R"({"metadata":{"labels":{"$patch":"replace","c":"3"}}})",
       R"({"metadata":{"labels":{"c":"3"}}})"},
      {R"({"metadata":{"labels":{"a":"1","b":"2"}}})",
       R"({"metadata":{"labels":{"$patch":"delete"}}})", R"({"metadata":{"labels":{}}})"},
      {R"({"metadata":{"labels":{"a":"1","b":"2"}}})", R"({"metadata":{"labels":null}})",
       R"({"metadata":{}})"},
      {R"({"metadata":{"name":"x"}})", R"({"metadata":{"labels":{"a":"1","b":null}}})",
       R"({"metadata":{"labels":{"a":"1"},"name":"x"}})"},
      {R"({"spec":{"volumes":[{"name":"v","emptyDir":{},"hostPath":{"path":"/"}}]}})",
       R"({"spec":{"volumes":[{"name":"v","$retainKeys":["name","hostPath"],"hostPath":{"path":"/x"}}]}})",
       R"({"spec":{"volumes":[{"hostPath":{"path":"/x"},"name":"v"}]}})"},
      {R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":80,"name":"x"},{"containerPort":81}]}]}})",
       R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":81,"name":"y"},{"containerPort":82}]}]}})",
       R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":80,"name":"x"},{"containerPort":81,"name":"y"},{"containerPort":82}]}]}})"},
      {R"({"spec":{"tolerations":[{"key":"a"}]}})", R"({"spec":{"tolerations":[{"key":"b"}]}})",
       R"({"spec":{"tolerations":[{"key":"b"}]}})"},
      {R"({"spec":{"containers":[{"name":"a"}]}})", R"({"spec":{"containers":{"name":"a"}}})",
       R"({"spec":{"containers":{"name":"a"}}})"},
      {R"({"spec":{"nodeSelector":{"a":"1"}}})",
       R"({"spec":{"nodeSelector":{"$retainKeys":["b"],"b":"2"}}})",
       R"({"spec":{"nodeSelector":{"b":"2"}}})"},
      {R"({"spec":{"containers":[]}})",
       R"({"spec":{"containers":[{"name":"a","env":[{"name":"e","value":null}]}]}})",
       R"({"spec":{"containers":[{"env":[{"name":"e"}],"name":"a"}]}})"},
      {R"({"metadata":{"ownerReferences":[{"uid":"1","kind":"A"},{"uid":"2","kind":"B"}]}})",
       R"({"metadata":{"ownerReferences":[{"uid":"2","$patch":"delete"},{"uid":"3","kind":"C"}]}})",
       R"({"metadata":{"ownerReferences":[{"kind":"C","uid":"3"},{"kind":"A","uid":"1"}]}})"},
      {R"({"status":{"conditions":[{"type":"Ready","status":"False"},{"type":"Init","status":"True"}]}})",
       R"({"status":{"conditions":[{"type":"Ready","status":"True"}]}})",
       R"({"status":{"conditions":[{"status":"True","type":"Ready"},{"status":"True","type":"Init"}]}})"},
      {R"({"spec":{"containers":[{"name":"a"}]}})", R"({"$patch":"replace","spec":{"x":1}})",
       R"({"spec":{"x":1}})"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.patch);
    const auto result = patch(c.document, c.patch);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(*result, json(c.result)) << print(*result);
  }
}

TEST(StrategicPatch, SaysWhyItDoesNotApply) {
  struct Case {
    std::string_view document;
    std::string_view patch;
    std::string_view message;
  };
  const Case cases[] = {
      {R"({"spec":{"containers":[{"name":"a","image":"x"},{"name":"b","image":"y"}]}})",
       R"({"spec":{"containers":[{"image":"z"}]}})",
       R"(map: {"image":"z"} does not contain declared merge key: name)"},
      {R"({"spec":{"containers":[{"name":"a"}]}})",
       R"({"spec":{"containers":[{"$patch":"delete"}]}})",
       R"(map: {"$patch":"delete"} does not contain declared merge key: name)"},
      {R"({"spec":{"containers":[{"name":"a"}]}})",
       R"({"spec":{"containers":[{"$patch":"merge","name":"a"}]}})",
       R"(merging lists cannot yet be specified in the patch)"},
      {R"({"spec":{"containers":[{"name":"a"}]}})",
       R"({"spec":{"containers":[{"$patch":"what","name":"a"}]}})",
       R"(unknown patch type: "what" in map: {"$patch":"what","name":"a"})"},
      {R"({"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}})",
       R"({"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"a"}],"containers":[{"name":"a","image":"1"},{"name":"c","image":"2"}]}})",
       "The order in patch "
       "list:\n[{\"name\":\"a\",\"image\":\"1\"},{\"name\":\"c\",\"image\":\"2\"}]\n doesn't match "
       "$setElementOrder list:\n[{\"name\":\"c\"},{\"name\":\"a\"}]\n"},
      {R"({"metadata":{"labels":{"a":"1","b":"2"}}})",
       R"({"metadata":{"labels":{"$patch":"merge","c":"3"}}})",
       R"(unknown patch type: "merge" in map: {"$patch":"merge","c":"3"})"},
      {R"({"spec":{"volumes":[{"name":"v","emptyDir":{}}]}})",
       R"({"spec":{"volumes":[{"name":"v","$retainKeys":["name"],"hostPath":{"path":"/x"}}]}})",
       R"(invalid patch format of retainKeys)"},
      {R"({"spec":{"nope":{"a":1}}})", R"({"spec":{"nope":{"b":1}}})",
       R"(unable to find api field in struct PodSpec for the json field "nope")"},
      {R"({"spec":{"containers":[{"name":"a"}]}})", R"({"spec":{"containers":["x"]}})",
       R"(list element types are not identical)"},
      {R"({"spec":{"containers":[{"name":"a"}]}})",
       R"({"spec":{"$setElementOrder/containers":"x"}})",
       R"(invalid patch format of setElementOrder list)"},
      {R"({"spec":{"containers":[{"name":"a"}]}})", R"({"spec":{"$setElementOrder":[]}})",
       R"(invalid patch format of setElementOrder list)"},
      {R"({"spec":{"containers":[{"name":"a"}]}})", R"({"spec":{"$deleteFromPrimitiveList":[]}})",
       R"(invalid patch format of primitive list)"},
      {R"({"spec":{"hostAliases":[{"ip":"1"}]}})", R"({"spec":{"hostAliases":[{"ip":"2"}]}})",
       "cannot merge lists without merge key for struct"},
      {R"({"metadata":{"finalizers":[["a"]]}})", R"({"metadata":{"finalizers":["b"]}})",
       "lists of lists are not supported"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.patch);
    const auto result = patch(c.document, c.patch);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message, c.message);
    EXPECT_EQ(result.error().code, Code::Invalid);
  }
}

TEST(StrategicPatch, ReplacesAnObjectWhoseStrategyIsReplace) {
  EXPECT_EQ(patch(R"({"spec":{"overhead":{"cpu":"1"}}})", R"({"spec":{"overhead":{"memory":"1"}}})")
                .value(),
            json(R"({"spec":{"overhead":{"memory":"1"}}})"));
}

TEST(StrategicPatch, DirectivesNeverReachTheDocument) {
  const std::string_view change = R"({"spec": {
      "volumes": [{"name": "v", "$retainKeys": ["name"], "gone": null}],
      "$setElementOrder/hostAliases": [], "$deleteFromPrimitiveList/hostAliases": ["x"],
      "nodeSelector": {"$patch": "delete"}}})";
  EXPECT_EQ(patch("{}", change).value(), json(R"({"spec":{"volumes":[{"name":"v"}]}})"));
}

TEST(StrategicPatch, DocumentsAndPatchesAreObjects) {
  EXPECT_EQ(patch("[]", "{}").error().code, Code::BadRequest);
  EXPECT_EQ(patch("{}", "1").error().message, "invalid JSON document");
}

}  // namespace
}  // namespace berth::json
