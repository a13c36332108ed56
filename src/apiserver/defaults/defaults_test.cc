#include "apiserver/defaults/defaults.h"

#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/print.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using json::Value;

TEST(Defaults, AKindWithoutDefaultsStaysAsItIs) {
  const Value object = Value::object({{"spec", 3}});
  EXPECT_EQ(with_defaults("example.com", "Pod", object), object);
}

TEST(Defaults, PlainTextOfSecretsBecomesData) {
  const Value secret =
      json::read_one_yaml("{data: {a: YQ==, b: Yg==}, stringData: {b: c, d: ''}}").value();
  EXPECT_EQ(json::print(with_string_data(secret)), R"({"data":{"a":"YQ==","b":"Yw==","d":""}})");
  EXPECT_EQ(json::print(with_string_data(Value::object({{"data", 3}, {"stringData", 4}}))),
            R"({"data":3})");
}

// Objects that look like what they should be, with nonsense here and there.
Value draw_object(int depth) {
  static const std::vector<std::string> kNames = {"spec",
                                                  "template",
                                                  "metadata",
                                                  "labels",
                                                  "containers",
                                                  "ports",
                                                  "resources",
                                                  "limits",
                                                  "requests",
                                                  "volumes",
                                                  "ephemeral",
                                                  "secret",
                                                  "status",
                                                  "strategy",
                                                  "selector",
                                                  "type",
                                                  "clusterIP",
                                                  "image",
                                                  "env",
                                                  "webhooks",
                                                  "rules",
                                                  "subjects",
                                                  "kind",
                                                  "roleRef",
                                                  "capacity",
                                                  "name",
                                                  "podCIDR",
                                                  "hostNetwork",
                                                  "volumeClaimTemplate",
                                                  "updateStrategy",
                                                  "rollingUpdate",
                                                  "jobTemplate",
                                                  "limits"};
  const int choice = *rc::gen::inRange(0, depth == 0 ? 4 : 9);
  switch (choice) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::inRange(-1, 3);
    case 2:
      return *rc::gen::elementOf(std::vector<std::string>{"", "Container", "1000m", "ClientIP"});
    case 3:
      return *rc::gen::arbitrary<bool>();
    case 4: {
      Value array = Value::array();
      for (int i = *rc::gen::inRange(0, 3); i > 0; --i) array.push_back(draw_object(depth - 1));
      return array;
    }
    default: {
      Value object = Value::object();
      for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
        object[*rc::gen::elementOf(kNames)] = draw_object(depth - 1);
      }
      return object;
    }
  }
}

RC_GTEST_PROP(Defaults, DoNotChangeWhatHasThemAndSurviveNonsense, ()) {
  static const std::vector<std::pair<std::string, std::string>> kKinds = {
      {"", "Pod"},
      {"", "Service"},
      {"", "Namespace"},
      {"", "Node"},
      {"", "LimitRange"},
      {"apps", "Deployment"},
      {"batch", "Job"},
      {"apps", "StatefulSet"},
      {"batch", "CronJob"},
      {"", "ReplicationController"},
      {"", "PersistentVolume"}};
  const auto& [group, kind] = *rc::gen::elementOf(kKinds);
  const Value once = with_defaults(group, kind, draw_object(6));
  RC_ASSERT(json::print(with_defaults(group, kind, once)) == json::print(once));
}

}  // namespace
}  // namespace berth::apiserver
