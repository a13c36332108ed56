#include "api/expressions/placement.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "api/expressions/libraries.h"
#include "cel/cost.h"
#include "cel/map_builder.h"
#include "json/parse.h"

namespace berth::api {
namespace {

using cel::Call;
using cel::Value;
using cel::ValueKind;

// The variables, in the order in which values are bound. The second has a name that no expression
// can spell; the function scores() reads it.
enum Variable : std::size_t { kCluster, kScores };

class ScoresValue final : public cel::Opaque {
 public:
  explicit ScoresValue(const ScoreLookup& lookup) : lookup_(lookup) {}

  std::string_view type_name() const override { return "berth.Scores"; }
  bool equals(const cel::Opaque& other) const override { return &other == this; }
  std::string display() const override { return "scores"; }

  const ScoreLookup& lookup() const { return lookup_; }

 private:
  const ScoreLookup& lookup_;
};

Value score_entry(Call& call, const json::Value& score) {
  const json::Value* name = score.find("name");
  const json::Value* value = score.find("value");
  cel::MapBuilder builder;
  builder.set(Value::string("name"), Value::string(name ? name->string_or_empty() : ""));
  builder.set(Value::string("value"), Value::integer(value ? value->as_int().value_or(0) : 0));
  return builder.build(call.context);
}

Value scores(Call& call) {
  if (!call[0].is(ValueKind::Map)) return cel::Context::no_such_overload();
  const auto metadata = call[0].find("metadata");
  if (!metadata || !metadata->is(ValueKind::Map)) {
    return Value::error("failed to get cluster metadata");
  }
  const auto cluster = metadata->find("name");
  if (!cluster || !cluster->is(ValueKind::String)) {
    return Value::error("failed to get cluster name");
  }
  const auto& lookup =
      static_cast<const ScoresValue&>(call.context.variable(kScores).as_opaque()).lookup();
  const auto found = lookup.find_scores(cluster->text(), call[1].text());
  if (!found.ok()) return call.context.error({"failed to get score: ", found.error().message});
  std::vector<Value> entries;
  for (const json::Value& score : (*found)->elements()) {
    entries.push_back(score_entry(call, score));
  }
  return call.context.list(entries);
}

std::uint64_t scores_cost(std::span<const Value>, const Value& result) {
  const std::uint64_t count = result.is(ValueKind::List) ? result.size() : 0;
  return cel::kListCost + count * (cel::kSelectCost + cel::kMapCost);
}

Value parse_json(Call& call) {
  // A Value takes 16 bytes or more for each token of the text.
  if (!call.context.charge(call[0].text().size() * 16)) return call.context.cancelled();
  auto parsed = json::parse(call[0].text());
  if (!parsed.ok()) return call.context.error({"failed to parse json: ", parsed.error().message});
  return Value::json_with_doubles(*call.context.arena().make<json::Value>(*std::move(parsed)));
}

std::uint64_t structure_cost(const Value& value) {
  std::uint64_t cost = 0;
  if (value.is(ValueKind::Map)) {
    cost = cel::kMapCost;
    for (std::size_t i = 0; i < value.size(); ++i) cost += structure_cost(value.entry(i).value);
  } else if (value.is(ValueKind::List)) {
    cost = cel::kListCost;
    for (std::size_t i = 0; i < value.size(); ++i) cost += structure_cost(value.element(i));
  }
  return cost;
}

std::uint64_t parse_json_cost(std::span<const Value> arguments, const Value& result) {
  return cel::traversal_cost(cel::size_for_cost(arguments[0])) + structure_cost(result);
}

}  // namespace

std::shared_ptr<const cel::Environment> placement_environment() {
  using enum cel::TypeKind;
  auto environment = std::make_shared<cel::Environment>();
  environment->add_variable("managedCluster", cel::Type::map(String, Dyn));
  environment->add_variable("@scores", cel::Type::opaque("berth.Scores"));
  add_kubernetes_libraries(*environment, SemverVersion::Strict);
  environment->add_function({.name = "scores",
                             .overloads = {{.id = "cluster_scores",
                                            .style = cel::CallStyle::Member,
                                            .parameters = {Dyn, String},
                                            .result = cel::Type::list(Dyn),
                                            .implementation = scores,
                                            .cost = scores_cost}}});
  environment->add_function({.name = "parseJSON",
                             .overloads = {{.id = "parse_json_string",
                                            .style = cel::CallStyle::Member,
                                            .parameters = {String},
                                            .result = Dyn,
                                            .implementation = parse_json,
                                            .cost = parse_json_cost}}});
  return environment;
}

cel::Evaluation evaluate_for_cluster(const cel::Program& program, const json::Value& cluster,
                                     const ScoreLookup& scores, cel::Arena& arena,
                                     const cel::Limits& limits) {
  const ScoresValue lookup(scores);
  const std::array variables = {Value::json(cluster), Value::opaque(lookup)};
  return program.evaluate(variables, arena, limits);
}

}  // namespace berth::api
