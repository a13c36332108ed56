#include "hosting/explain_text.h"

#include <string_view>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/table.h"
#include "hosting/scorer.h"

namespace berth::hosting {
namespace {

using json::Value;

constexpr std::size_t kWidthMax = 100;

// "assigned": it is there, whatever would be decided now.
std::string_view verdict_word(const Explanation& explanation, const HostVerdict& verdict) {
  if (verdict.host == explanation.request.host) return "assigned";
  if (!verdict.filter.empty()) return "refused";
  return verdict.is_chosen ? "best" : "possible";
}

std::string points_of(const HostVerdict& verdict) {
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < verdict.scores.size(); ++i) {
    if (verdict.scores[i] == 0) continue;
    terms.push_back(fmt::format("{} {}", scorers()[i].name, verdict.scores[i]));
  }
  return join(terms, ", ");
}

std::string why(const HostVerdict& verdict) {
  if (verdict.filter.empty()) return points_of(verdict);
  return fmt::format("{}: {}; {}", verdict.filter, verdict.reason, verdict.remedy);
}

void append_field(std::string& text, std::string_view name, std::string_view value) {
  if (!value.empty()) text += fmt::format("{:<15}{}\n", std::string(name) + ":", value);
}

}  // namespace

Value to_json(const Explanation& explanation) {
  const HostedClusterRequest& request = explanation.request;
  Value hosts = Value::array();
  for (const HostVerdict& verdict : explanation.hosts) {
    Value host =
        Value::object({{"cluster", verdict.host}, {"verdict", verdict_word(explanation, verdict)}});
    if (verdict.filter.empty()) {
      host["total"] = verdict.total;
      for (std::size_t i = 0; i < verdict.scores.size(); ++i) {
        host["scores"].push_back(
            Value::object({{"scorer", scorers()[i].name}, {"points", verdict.scores[i]}}));
      }
    } else {
      host["refusedBy"] = verdict.filter;
      host["reason"] = verdict.reason;
      host["remedy"] = verdict.remedy;
    }
    hosts.push_back(std::move(host));
  }
  Value value = Value::object({{"namespace", request.facts.object_namespace},
                               {"name", request.facts.name},
                               {"phase", phase_name(request.phase)},
                               {"hostingCluster", request.host},
                               {"size", to_json(request.size)},
                               {"clusters", std::move(hosts)}});
  if (!request.problem.empty()) value["problem"] = request.problem;
  if (!explanation.message.empty()) value["message"] = explanation.message;
  return value;
}

std::string to_text(const Explanation& explanation) {
  const HostedClusterRequest& request = explanation.request;
  std::string text;
  append_field(text, "Request", request.facts.object_namespace + "/" + request.facts.name);
  append_field(text, "Phase", phase_name(request.phase));
  append_field(text, "Cluster", request.host.empty() ? "<none>" : request.host);
  append_field(text, "Needs", to_string(request.size));
  append_field(text, "Problem", request.problem);
  if (explanation.message != request.problem) append_field(text, "Message", explanation.message);
  if (explanation.hosts.empty()) return text + "\nThe hub has no managed clusters.\n";
  std::vector<Row> rows = {{"CLUSTER", "VERDICT", "SCORE", "WHY"}};
  for (const HostVerdict& verdict : explanation.hosts) {
    rows.push_back({verdict.host, std::string(verdict_word(explanation, verdict)),
                    verdict.filter.empty() ? std::to_string(verdict.total) : "-", why(verdict)});
  }
  return text + "\n" + format_table(rows, {.width_max = kWidthMax});
}

}  // namespace berth::hosting
