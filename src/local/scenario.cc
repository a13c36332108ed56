#include "local/scenario.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/strings.h"
#include "cel/time_arithmetic.h"
#include "json/yaml_read.h"

namespace berth::local {
namespace {

using json::Value;
using Kind = ScenarioStep::Kind;

constexpr std::size_t kClustersMax = 1000;
constexpr std::size_t kStepsMax = 10'000;
constexpr int kNodesMax = 1000;
constexpr Duration kLengthMax = std::chrono::hours(48);
constexpr Duration kWithinUsual = std::chrono::seconds(30);

Error wrong(std::string message) { return {.code = Code::Invalid, .message = std::move(message)}; }

// Where the items of a list at the top begin, as far as it is written one below the other.
std::vector<int> lines_of_items(std::string_view text, std::string_view list) {
  std::vector<int> lines;
  std::optional<std::size_t> column;
  bool is_inside = false;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view rest = line.substr(indent);
    if (rest.empty() || rest.starts_with('#')) continue;
    const bool is_item = rest == "-" || rest.starts_with("- ");
    if (indent == 0 && !is_item) {
      is_inside = line.starts_with(list) && line.substr(list.size()).starts_with(':');
    } else if (is_inside && is_item && indent == column.value_or(indent)) {
      column = indent;
      lines.push_back(number);
    }
  }
  return lines;
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !text.empty() && text.size() <= 63 && is_letter(text.front()) && is_letter(text.back()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || c == '-'; });
}

Status check_members(const Value& object, const std::vector<std::string_view>& known) {
  if (!object.is_object()) return failure(wrong("expected names with values"));
  for (const json::Member& member : object.members()) {
    if (std::ranges::find(known, member.name()) != known.end()) continue;
    return failure(wrong(
        fmt::format("there is no {}; there are {}", quote(member.name()), fmt::join(known, ", "))));
  }
  return {};
}

Result<Duration> read_length(const Value& object, std::string_view name, Duration otherwise) {
  const Value* value = object.find(name);
  if (!value) return otherwise;
  const auto length = cel::parse_duration(value->string_or_empty());
  if (!length || *length < Duration::zero() || *length > kLengthMax) {
    return failure(wrong(fmt::format("{} must be a length of time, such as 90s or 1m30s", name)));
  }
  return *length;
}

Result<std::string> read_name(const Value& value, std::string_view what) {
  const std::string_view text = value.string_or_empty();
  if (is_name(text)) return std::string(text);
  return failure(wrong(fmt::format("{} needs a name of small letters, digits and -", what)));
}

Result<ScenarioCluster> read_cluster(const Value& object) {
  RETURN_IF_ERROR(check_members(object, {"name", "nodes", "labels"}));
  const Value* name = object.find("name");
  ASSIGN_OR_RETURN(std::string checked, read_name(name ? *name : Value(), "a cluster"));
  ScenarioCluster cluster{.name = std::move(checked)};
  if (const Value* nodes = object.find("nodes")) {
    const auto count = nodes->as_int();
    if (!count || *count < 1 || *count > kNodesMax) {
      return failure(wrong(fmt::format("nodes must be a number from 1 to {}", kNodesMax)));
    }
    cluster.nodes = static_cast<int>(*count);
  }
  if (const Value* labels = object.find("labels")) {
    for (const json::Member& label : labels->members()) {
      if (!label.value.is_string()) return failure(wrong("labels must be texts"));
      cluster.labels[std::string(label.name())] = label.value.string_or_empty();
    }
  }
  return cluster;
}

Result<int> read_percent(const Value& value) {
  const std::string_view text = value.string_or_empty();
  const auto number = text.ends_with('%') ? parse_int64(text.substr(0, text.size() - 1))
                                          : std::optional<std::int64_t>();
  if (number && *number >= 0 && *number <= 100) return static_cast<int>(*number);
  return failure(wrong("a load is said as 0% to 100%"));
}

// Reads one file; what it has read so far is what later parts may speak of.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Scenario> read() {
    ASSIGN_OR_RETURN(const Value file, json::read_one_yaml(text_, {.size_max = 1 << 20}));
    RETURN_IF_ERROR(check_members(
        file, {"about", "leaseDuration", "scoreRefresh", "clusters", "placements", "timeline"}));
    if (const Value* about = file.find("about")) scenario_.about = about->string_or_empty();
    RETURN_IF_ERROR(read_pace(file));
    RETURN_IF_ERROR(read_list(file, "clusters", &Reader::add_first_cluster));
    RETURN_IF_ERROR(read_list(file, "placements", &Reader::add_placement));
    RETURN_IF_ERROR(read_list(file, "timeline", &Reader::add_step));
    if (scenario_.first_clusters.empty()) return failure(wrong("clusters: at least one is needed"));
    if (scenario_.timeline.empty()) return failure(wrong("timeline: at least one step is needed"));
    return std::move(scenario_);
  }

 private:
  using Add = Status (Reader::*)(const Value& item);

  Status read_pace(const Value& file) {
    ASSIGN_OR_RETURN(scenario_.lease_duration,
                     read_length(file, "leaseDuration", scenario_.lease_duration));
    ASSIGN_OR_RETURN(scenario_.score_refresh,
                     read_length(file, "scoreRefresh", scenario_.score_refresh));
    const bool is_whole = scenario_.lease_duration % std::chrono::seconds(1) == Duration::zero();
    if (!is_whole || scenario_.lease_duration < std::chrono::seconds(1)) {
      return failure(wrong("leaseDuration must be whole seconds, one at least"));
    }
    if (scenario_.score_refresh < std::chrono::seconds(1)) {
      return failure(wrong("scoreRefresh must be a second at least"));
    }
    return {};
  }

  Status read_list(const Value& file, std::string_view list, Add add) {
    const Value* value = file.find(list);
    if (!value) return {};
    if (!value->is_array()) return failure(wrong(fmt::format("{}: expected a list", list)));
    const std::vector<int> lines = lines_of_items(text_, list);
    for (std::size_t i = 0; i < value->elements().size(); ++i) {
      line_ = lines.size() == value->elements().size() ? lines[i] : 0;
      Status added = (this->*add)(value->elements()[i]);
      if (added.ok()) continue;
      return failure(std::move(added).error().in_context(
          line_ > 0 ? fmt::format("line {}", line_) : fmt::format("{}[{}]", list, i)));
    }
    return {};
  }

  Status add_first_cluster(const Value& item) {
    ASSIGN_OR_RETURN(const std::string name, add_cluster(item));
    scenario_.first_clusters.insert(name);
    return {};
  }

  Result<std::string> add_cluster(const Value& item) {
    ASSIGN_OR_RETURN(ScenarioCluster cluster, read_cluster(item));
    if (std::ranges::find(scenario_.clusters, cluster.name, &ScenarioCluster::name) !=
        scenario_.clusters.end()) {
      return failure(wrong(fmt::format("there are two clusters {}", quote(cluster.name))));
    }
    if (scenario_.clusters.size() == kClustersMax) {
      return failure(wrong(fmt::format("more than {} clusters", kClustersMax)));
    }
    std::string name = cluster.name;
    scenario_.clusters.push_back(std::move(cluster));
    return name;
  }

  Status add_placement(const Value& item) {
    RETURN_IF_ERROR(check_members(item, {"name", "spec"}));
    const Value* name = item.find("name");
    const Value* spec = item.find("spec");
    ASSIGN_OR_RETURN(const std::string checked, read_name(name ? *name : Value(), "a placement"));
    if (!placements_.insert(checked).second) {
      return failure(wrong(fmt::format("there are two placements {}", quote(checked))));
    }
    if (spec && !spec->is_object()) return failure(wrong("spec: expected names with values"));
    scenario_.placements.push_back(
        Value::object({{"apiVersion", "cluster.open-cluster-management.io/v1beta1"},
                       {"kind", "Placement"},
                       {"metadata", Value::object({{"name", checked}, {"namespace", "default"}})},
                       {"spec", spec ? *spec : Value::object()}}));
    return {};
  }

  Status add_step(const Value& item) {
    if (scenario_.timeline.size() == kStepsMax) {
      return failure(wrong(fmt::format("more than {} steps", kStepsMax)));
    }
    RETURN_IF_ERROR(check_members(
        item, {"at", "load", "over", "outage", "silence", "recovery", "join", "expect", "within"}));
    if (!item.find("at")) return failure(wrong("a step needs \"at\", such as at: 30s"));
    ASSIGN_OR_RETURN(const Duration at, read_length(item, "at", Duration::zero()));
    if (!scenario_.timeline.empty() && at < scenario_.timeline.back().at) {
      return failure(wrong("this is earlier than the step before it"));
    }
    ASSIGN_OR_RETURN(ScenarioStep step, read_action(item, at));
    step.line = line_;
    scenario_.timeline.push_back(std::move(step));
    return {};
  }

  struct Action {
    std::string_view name;
    Kind kind;
    Status (Reader::*read)(const Value& item, const Value& value, ScenarioStep& step);
  };

  Result<ScenarioStep> read_action(const Value& item, Duration at) {
    static constexpr Action kActions[] = {{"load", Kind::Load, &Reader::read_load},
                                          {"outage", Kind::Outage, &Reader::read_names},
                                          {"silence", Kind::Silence, &Reader::read_names},
                                          {"recovery", Kind::Recovery, &Reader::read_names},
                                          {"join", Kind::Join, &Reader::read_join},
                                          {"expect", Kind::Expect, &Reader::read_expectation}};
    std::optional<ScenarioStep> step;
    for (const Action& action : kActions) {
      const Value* value = item.find(action.name);
      if (!value) continue;
      if (step) return failure(wrong("a step does one thing; write two steps"));
      step = ScenarioStep{.kind = action.kind, .at = at};
      RETURN_IF_ERROR((this->*action.read)(item, *value, *step));
    }
    if (!step) {
      return failure(wrong("a step needs one of load, outage, silence, recovery, join and expect"));
    }
    if (item.find("over") && step->kind != Kind::Load) {
      return failure(wrong("only a load has \"over\""));
    }
    if (item.find("within") && step->kind != Kind::Expect) {
      return failure(wrong("only what is expected has \"within\""));
    }
    return *std::move(step);
  }

  Result<std::string> known_cluster(std::string_view name) const {
    if (std::ranges::find(scenario_.clusters, name, &ScenarioCluster::name) !=
        scenario_.clusters.end()) {
      return std::string(name);
    }
    return failure(wrong(fmt::format("there is no cluster {} at that time", quote(name))));
  }

  Status read_load(const Value& item, const Value& value, ScenarioStep& step) {
    if (value.members().empty()) return failure(wrong("load: expected clusters with percents"));
    for (const json::Member& load : value.members()) {
      ASSIGN_OR_RETURN(const std::string cluster, known_cluster(load.name()));
      ASSIGN_OR_RETURN(step.loads[cluster], read_percent(load.value));
    }
    ASSIGN_OR_RETURN(step.over, read_length(item, "over", Duration::zero()));
    return {};
  }

  Status read_names(const Value& /*item*/, const Value& value, ScenarioStep& step) {
    if (value.elements().empty()) return failure(wrong("expected a list of clusters"));
    for (const Value& name : value.elements()) {
      ASSIGN_OR_RETURN(std::string cluster, known_cluster(name.string_or_empty()));
      step.clusters.push_back(std::move(cluster));
    }
    return {};
  }

  Status read_join(const Value& /*item*/, const Value& value, ScenarioStep& step) {
    if (value.elements().empty()) return failure(wrong("join: expected a list of clusters"));
    for (const Value& cluster : value.elements()) {
      ASSIGN_OR_RETURN(std::string name, add_cluster(cluster));
      step.clusters.push_back(std::move(name));
    }
    return {};
  }

  Status read_expectation(const Value& item, const Value& value, ScenarioStep& step) {
    if (value.members().empty()) return failure(wrong("expect: expected placements"));
    for (const json::Member& one : value.members()) {
      if (!placements_.contains(std::string(one.name()))) {
        return failure(wrong(fmt::format("there is no placement {}", quote(one.name()))));
      }
      if (!one.value.is_array()) {
        return failure(wrong(fmt::format("{}: expected a list of clusters", one.name())));
      }
      std::set<std::string>& clusters = step.decisions[std::string(one.name())];
      for (const Value& name : one.value.elements()) {
        ASSIGN_OR_RETURN(std::string cluster, known_cluster(name.string_or_empty()));
        clusters.insert(std::move(cluster));
      }
    }
    ASSIGN_OR_RETURN(step.within, read_length(item, "within", kWithinUsual));
    return {};
  }

  std::string_view text_;
  Scenario scenario_;
  std::set<std::string> placements_;
  int line_ = 0;  // Of what is being read.
};

}  // namespace

Value acceptance(const Scenario& scenario, const ScenarioCluster& cluster) {
  Value labels = Value::object();
  for (const auto& [name, value] : cluster.labels) labels[name] = value;
  return Value::object(
      {{"metadata", Value::object({{"labels", std::move(labels)}})},
       {"spec", Value::object({{"hubAcceptsClient", true},
                               {"leaseDurationSeconds",
                                scenario.lease_duration / std::chrono::seconds(1)}})}});
}

Result<Scenario> read_scenario(std::string_view text) { return Reader(text).read(); }

}  // namespace berth::local
