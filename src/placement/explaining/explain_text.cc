#include "placement/explaining/explain_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "base/table.h"

namespace berth::placement {
namespace {

constexpr std::size_t kWidthMax = 100;

std::string noted(const ScoreLine& line) {
  const std::string points = std::to_string(line.points);
  return line.note.empty() ? points : fmt::format("{} ({})", points, line.note);
}

// "Balance 100, AddOn/demo/load 37x2 (no report)": weights of 1 go without saying.
std::string sum(const ClusterVerdict& verdict) {
  std::vector<std::string> terms;
  for (const ScoreLine& line : verdict.scores) {
    const std::string weight = line.weight == 1 ? "" : fmt::format("x{}", line.weight);
    terms.push_back(fmt::format("{} {}{}{}", line.prioritizer, line.points, weight,
                                line.note.empty() ? "" : fmt::format(" ({})", line.note)));
  }
  return join(terms, ", ");
}

std::vector<std::string> remarks(const ClusterVerdict& verdict) {
  std::vector<std::string> parts;
  for (const Objection& objection : verdict.objections) parts.push_back(objection.reason);
  if (verdict.is_avoided) parts.emplace_back("tainted PreferNoSelect");
  if (!verdict.note.empty()) parts.push_back(verdict.note);
  if (!verdict.remedies.empty()) parts.push_back("needs " + join(verdict.remedies, " and "));
  return parts;
}

Row table_row(const ClusterVerdict& verdict) {
  std::vector<std::string> why = remarks(verdict);
  if (!verdict.rejected_by.empty() && !why.empty()) {
    why.front() = fmt::format("{}: {}", verdict.rejected_by, why.front());
  }
  if (!verdict.scores.empty()) why.insert(why.begin(), sum(verdict));
  return {verdict.cluster, std::string(kind_name(verdict.kind)),
          verdict.rank ? std::to_string(*verdict.rank) : "-",
          verdict.total ? std::to_string(*verdict.total) : "-", join(why, "; ")};
}

std::vector<Row> table_rows(const Explanation& explanation) {
  std::vector<Row> rows = {{"CLUSTER", "VERDICT", "RANK", "SCORE", "WHY"}};
  for (const ClusterVerdict& verdict : explanation.clusters) rows.push_back(table_row(verdict));
  return rows;
}

std::vector<Row> wide_rows(const Explanation& explanation) {
  const auto& prioritizers = explanation.schedule.prioritizers;
  Row header = {"CLUSTER", "VERDICT", "RANK", "SCORE", "DECIDED"};
  for (const PrioritizerRecord& record : prioritizers) {
    header.push_back(fmt::format("{}x{}", record.name, record.weight));
  }
  header.insert(header.end(), {"REJECTED-BY", "WHY"});
  std::vector<Row> rows = {std::move(header)};
  for (const ClusterVerdict& verdict : explanation.clusters) {
    Row row = table_row(verdict);
    row.back() = verdict.is_incumbent ? "yes" : "no";
    for (std::size_t i = 0; i < prioritizers.size(); ++i) {
      row.push_back(i < verdict.scores.size() ? noted(verdict.scores[i]) : "-");
    }
    row.push_back(verdict.rejected_by.empty() ? "-" : verdict.rejected_by);
    row.push_back(join(remarks(verdict), "; "));
    rows.push_back(std::move(row));
  }
  return rows;
}

void append_field(std::string& text, std::string_view name, std::string_view value) {
  if (!value.empty()) text += fmt::format("{:<15}{}\n", std::string(name) + ":", value);
}

void append_list(std::string& text, std::string_view title, const std::vector<std::string>& list) {
  if (list.empty()) return;
  text += fmt::format("{}:\n", title);
  for (const std::string& entry : list) text += fmt::format("  - {}\n", entry);
}

std::string heading(const Explanation& explanation) {
  const Schedule& schedule = explanation.schedule;
  std::string text;
  append_field(text, "Placement", explanation.placement.text());
  append_field(text, "Cluster sets",
               schedule.eligible_sets.empty() ? "<none>" : join(schedule.eligible_sets, ", "));
  const std::size_t chosen = schedule.chosen.size();
  const auto wanted = static_cast<std::int64_t>(chosen) + schedule.unscheduled;
  append_field(text, "Chosen",
               schedule.unscheduled > 0 ? fmt::format("{} of {} wanted", chosen, wanted)
                                        : std::to_string(chosen));
  if (schedule.valid_until)
    append_field(text, "Valid until", format_seconds(*schedule.valid_until));
  if (schedule.outcome.code == ScheduleOutcome::Code::Misconfigured) {
    const std::string& plugin = schedule.outcome.plugin;
    append_field(text, "Misconfigured",
                 (plugin.empty() ? "" : plugin + ": ") + schedule.outcome.message);
  }
  if (schedule.failure) append_field(text, "Error", schedule.failure->message);
  for (const std::string& remark : schedule.remarks) append_field(text, "Remark", remark);
  return text;
}

json::Value texts(const std::vector<std::string>& list) {
  json::Value array = json::Value::array();
  for (const std::string& text : list) array.push_back(text);
  return array;
}

}  // namespace

json::Value to_json(const ClusterVerdict& verdict) {
  json::Value value =
      json::Value::object({{"cluster", verdict.cluster}, {"verdict", kind_name(verdict.kind)}});
  if (!verdict.rejected_by.empty()) value["rejectedBy"] = verdict.rejected_by;
  for (const Objection& objection : verdict.objections) {
    value["objections"].push_back(objection.reason);
  }
  for (const ScoreLine& line : verdict.scores) {
    json::Value score = json::Value::object(
        {{"prioritizer", line.prioritizer}, {"score", line.points}, {"weight", line.weight}});
    if (!line.note.empty()) score["note"] = line.note;
    value["scores"].push_back(std::move(score));
  }
  if (verdict.total) value["total"] = *verdict.total;
  if (verdict.rank) value["rank"] = *verdict.rank;
  if (verdict.is_incumbent) value["incumbent"] = true;
  if (verdict.is_avoided) value["avoided"] = true;
  if (!verdict.note.empty()) value["note"] = verdict.note;
  if (!verdict.remedies.empty()) value["needs"] = texts(verdict.remedies);
  return value;
}

json::Value to_json(const Explanation& explanation) {
  json::Value clusters = json::Value::array();
  for (const ClusterVerdict& verdict : explanation.clusters) clusters.push_back(to_json(verdict));
  const Schedule& schedule = explanation.schedule;
  json::Value value = json::Value::object({{"namespace", explanation.placement.ns},
                                           {"placement", explanation.placement.name},
                                           {"clusterSets", texts(schedule.eligible_sets)},
                                           {"selected", schedule.chosen.size()},
                                           {"unscheduled", schedule.unscheduled},
                                           {"clusters", std::move(clusters)}});
  if (schedule.failure) value["error"] = schedule.failure->message;
  if (schedule.outcome.code == ScheduleOutcome::Code::Misconfigured) {
    value["misconfigured"] = schedule.outcome.plugin + ":" + schedule.outcome.message;
  }
  if (!schedule.remarks.empty()) value["remarks"] = texts(schedule.remarks);
  if (schedule.valid_until) value["validUntil"] = format_seconds(*schedule.valid_until);
  return value;
}

std::string to_text(const Explanation& explanation, ExplainFormat format) {
  if (format == ExplainFormat::Wide) return format_table(wide_rows(explanation));
  std::string text = heading(explanation);
  if (explanation.clusters.empty()) {
    return text + "\nNo cluster is in a set that the placement may use.\n";
  }
  return text + "\n" + format_table(table_rows(explanation), {.width_max = kWidthMax});
}

std::string in_short(const ClusterVerdict& verdict) {
  if (!verdict.objections.empty()) {
    return fmt::format("{}: {}", verdict.cluster, verdict.objections.front().reason);
  }
  if (verdict.total) return fmt::format("{} has {} points", verdict.cluster, *verdict.total);
  return fmt::format("{} is {}", verdict.cluster, lower_ascii(kind_name(verdict.kind)));
}

std::string to_text(const api::ObjectKey& placement, const ClusterVerdict& verdict) {
  std::string text;
  append_field(text, "Cluster", verdict.cluster);
  append_field(text, "Placement", placement.text());
  append_field(text, "Verdict", kind_name(verdict.kind));
  append_field(text, "Decided", verdict.is_incumbent ? "yes, it is in the decisions" : "no");
  append_field(text, "Rejected by", verdict.rejected_by);
  if (verdict.rank) append_field(text, "Rank", std::to_string(*verdict.rank));
  if (verdict.total) append_field(text, "Score", std::to_string(*verdict.total));
  if (verdict.is_avoided) append_field(text, "Avoided", "a PreferNoSelect taint");
  append_field(text, "Held", verdict.note);
  std::vector<std::string> reasons;
  for (const Objection& objection : verdict.objections) reasons.push_back(objection.reason);
  append_list(text, "Against it", reasons);
  append_list(text, "It would be chosen with", verdict.remedies);
  if (verdict.scores.empty()) return text;
  std::vector<Row> rows = {{"PRIORITIZER", "SCORE", "WEIGHT", "POINTS", "NOTE"}};
  for (const ScoreLine& line : verdict.scores) {
    rows.push_back({line.prioritizer, std::to_string(line.points), std::to_string(line.weight),
                    std::to_string(std::int64_t{line.points} * line.weight), line.note});
  }
  return text + "\n" + format_table(rows);
}

}  // namespace berth::placement
