#include "placement/compiling/cel_expressions.h"

#include <deque>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "api/expressions/placement.h"
#include "api/quantity.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "cel/parser.h"
#include "cel/program.h"
#include "placement/request.h"

namespace berth::placement {
namespace {

// In CEL's units, for one expression on one cluster.
constexpr cel::Limits kLimits = {.cost_max = 1'000'000};

// Which names scores() is called with, from the tree: literals are known, anything else is not.
ScoreUse find_score_use(const cel::Environment& environment, std::string_view text) {
  cel::Issues issues;
  const cel::Ast ast = cel::parse(
      text, {.macros = environment.macros(), .optional_syntax = environment.has_optional_syntax()},
      issues);
  ScoreUse use;
  std::set<std::string> names;
  for (cel::ExprIndex i = 0; i < ast.size(); ++i) {
    const cel::Expr& call = ast[i];
    if (call.kind != cel::ExprKind::Call || call.name != "scores" || call.children.size() != 2) {
      continue;
    }
    if (const auto* name = std::get_if<std::string>(&ast[call.children[1]].literal)) {
      names.insert(*name);
    } else {
      use.any = true;
    }
  }
  use.names.assign(names.begin(), names.end());
  return use;
}

// The fleet's reports as the arrays that scores() reads.
class FleetScores final : public api::ScoreLookup {
 public:
  explicit FleetScores(const Request& request) : request_(request) {}

  Result<const json::Value*> find_scores(std::string_view cluster,
                                         std::string_view name) const override {
    const auto index = request_.fleet.clusters().find(cluster);
    const Symbol resource = request_.fleet.symbols().find(name);
    const ScoreReport* report = index && resource != kNoSymbol
                                    ? request_.fleet.clusters()[*index].find_report(resource)
                                    : nullptr;
    const bool is_hidden =
        report && !request_.options.expressions_see_expired_scores && request_.is_expired(*report);
    if (!report || is_hidden) {
      return failure(Code::NotFound, fmt::format("addonplacementscore {} {}", quote(name),
                                                 is_hidden ? "expired" : "not found"));
    }
    json::Value scores = json::Value::array();
    for (const ScoreReport::Item& item : report->items) {
      scores.push_back(json::Value::object(
          {{"name", request_.fleet.symbols().text(item.name)}, {"value", item.value}}));
    }
    return &arrays_.emplace_back(std::move(scores));
  }

  void reset() { arrays_.clear(); }

 private:
  const Request& request_;
  mutable std::deque<json::Value> arrays_;  // Stay in place until the evaluation is over.
};

class CelExpression final : public Expression {
 public:
  CelExpression(std::string_view text, cel::Program program, ScoreUse use)
      : text_(text), program_(std::move(program)), use_(std::move(use)) {}

  std::vector<ExpressionAnswer> evaluate(const Request& request,
                                         std::span<const ClusterIndex> clusters,
                                         std::uint64_t allowance) const override {
    cel::Arena arena;
    FleetScores scores(request);
    std::vector<ExpressionAnswer> answers;
    answers.reserve(clusters.size());
    std::uint64_t spent = 0;
    for (const ClusterIndex cluster : clusters) {
      if (spent >= allowance) break;
      spent += kEvaluationCost;
      const auto& object = request.fleet.clusters()[cluster].object;
      if (!object) {
        answers.push_back({});
        continue;
      }
      const cel::Evaluation outcome =
          api::evaluate_for_cluster(program_, *object, scores, arena, kLimits);
      answers.push_back({.matches = outcome.value.is_true(),
                         .cost = outcome.cost,
                         .is_too_expensive = outcome.cost > kLimits.cost_max});
      spent += outcome.cost;
      arena.reset();
      scores.reset();
    }
    return answers;
  }

  std::string error(const Request& request, ClusterIndex cluster) const override {
    const auto& object = request.fleet.clusters()[cluster].object;
    if (!object) return "the cluster's object is not known";
    cel::Arena arena;
    const FleetScores scores(request);
    const cel::Evaluation outcome =
        api::evaluate_for_cluster(program_, *object, scores, arena, kLimits);
    return outcome.value.is_error() ? std::string(outcome.value.text()) : "";
  }

  const std::string& text() const override { return text_; }
  const ScoreUse& score_use() const override { return use_; }

 private:
  std::string text_;
  cel::Program program_;
  ScoreUse use_;
};

void rewrite_quantities(json::Value* amounts) {
  if (!amounts || !amounts->is_object()) return;
  for (const json::Member& member : std::as_const(*amounts).members()) {
    const std::string text = member.value.is_number() ? member.value.number_text()
                                                      : std::string(member.value.string_or_empty());
    auto canonical = api::Quantity::rewrite(text);
    if (canonical.ok()) *amounts->find(member.name()) = std::move(*canonical);
  }
}

void rewrite_taints(json::Value* taints) {
  if (!taints) return;
  for (json::Value& taint : taints->elements()) {
    if (!taint.is_object()) continue;
    json::Value& added = taint["timeAdded"];
    const auto time = parse_rfc3339(added.string_or_empty());
    added = time.ok() ? json::Value(format_seconds(*time)) : json::Value();
  }
}

// The member as an object; what is something else is replaced, as Go's type would have it.
json::Value& object_at(json::Value& parent, std::string_view name) {
  json::Value& member = parent[name];
  if (!member.is_object()) member = json::Value::object();
  return member;
}

}  // namespace

CelExpressions::CelExpressions() : environment_(api::placement_environment()) {}

Result<std::shared_ptr<const Expression>> CelExpressions::compile(std::string_view text) const {
  auto program = cel::compile(environment_, text);
  if (!program.ok()) {
    return failure(Code::Invalid, "compilation failed: " + program.error().message);
  }
  return std::make_shared<const CelExpression>(text, std::move(*program),
                                               find_score_use(*environment_, text));
}

json::Value managed_cluster_for_expressions(json::Value object) {
  if (!object.is_object()) object = json::Value::object();
  object.erase("kind");
  object.erase("apiVersion");
  json::Value& spec = object_at(object, "spec");
  if (!spec["hubAcceptsClient"].is_boolean()) spec["hubAcceptsClient"] = false;
  rewrite_taints(spec.find("taints"));
  json::Value& status = object_at(object, "status");
  status["conditions"];  // Null where there are none.
  object_at(status, "version");
  rewrite_quantities(status.find("allocatable"));
  rewrite_quantities(status.find("capacity"));
  return object;
}

}  // namespace berth::placement
