// How long does one run of the scheduling function take, beside OCM's own on the same objects, and
// how does it grow?
//
//   placement_engine_bench [CSV FILE]   needs $BERTH_OCM: tests/kube/run bench
//   placement_engine_bench
//
// Both sides have the objects in memory as their controllers have them: OCM in its informers'
// caches, Berth in its FleetView with the Placement compiled. "anew" is Berth with the Placement
// read and compiled for every run, too. Processor time, which other programs disturb least; OCM's
// has its garbage collector's in it. By turns; the median of the rounds.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <time.h>

#include "api/kinds/fields.h"
#include "base/check.h"
#include "json/print.h"
#include "kube/child.h"
#include "placement/deciding/schedule.h"
#include "placement/options.h"
#include "placement_fleet.h"

namespace berth::bench {
namespace {

using placement::CelExpressions;
using placement::compile;
using placement::CompiledPlacement;
using placement::FleetView;
using placement::ocm_exact;
using placement::Options;
using placement::Ranked;
using placement::Schedule;
using placement::schedule;

constexpr Time kNow = Time(std::chrono::seconds(1000));
constexpr int kRounds = 5;

struct Question {
  std::string_view name;
  std::string_view spec;
};
constexpr Question kQuestions[] = {{"label_cpu", kLabelCpu}, {"addon_exact", kAddOn}};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Processor time of one call, from as many calls as fill the time.
double measure(const std::function<void()>& call, double seconds = 0.5) {
  call();
  for (std::int64_t calls = 1;; calls *= 2) {
    const double start = processor_seconds();
    for (std::int64_t i = 0; i < calls; ++i) call();
    const double passed = processor_seconds() - start;
    if (passed > seconds / 2) return passed / static_cast<double>(calls);
  }
}

std::vector<std::string> chosen_names(const Schedule& schedule, const FleetView& fleet) {
  std::vector<std::string> names;
  for (const Ranked& ranked : schedule.chosen) names.push_back(fleet.name(ranked.cluster));
  return names;
}

struct OcmAnswer {
  double seconds;
  std::vector<std::string> chosen;
};

class Bench {
 public:
  explicit Bench(std::ofstream csv) : csv_(std::move(csv)) {
    csv_ << "question,axis,count,berth_seconds,ocm_seconds\n";
    std::string pattern = (std::filesystem::temp_directory_path() / "berth-bench-XXXXXX").string();
    CHECK(::mkdtemp(pattern.data()));
    folder_ = pattern;
  }
  ~Bench() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // False when the two chose differently.
  bool compare(std::int64_t clusters) {
    const FleetObjects objects = make_objects(clusters);
    const FleetView fleet = make_view(objects);
    for (const Question& question : kQuestions) {
      write_fleet(objects, question);
      const Options options = ocm_exact();
      const CompiledPlacement compiled = make_placement("p", question.spec, options);
      const json::Value object = placement_object("p", question.spec);
      const CelExpressions expressions;
      std::vector<double> ours, anew, theirs;
      for (int round = 0; round < kRounds; ++round) {
        ours.push_back(measure([&] { last_ = schedule(compiled, fleet, kNow, options); }));
        anew.push_back(measure([&] {
          const auto again = compile(api::read_placement(object), expressions, options);
          last_ = schedule(again, fleet, kNow, options);
        }));
        const auto answer = ask_ocm();
        if (!answer) return false;
        theirs.push_back(answer->seconds);
        if (answer->chosen != chosen_names(last_, fleet)) {
          std::fprintf(stderr, "the two chose differently\n");
          return false;
        }
      }
      const double berth = median(ours);
      const double ocm = median(theirs);
      fmt::print(
          "{:12} {:7} clusters  Berth {:9.1f} us ({:9.0f}/s)  anew {:9.1f} us  OCM {:10.1f} us"
          "  ratio {:5.0f}, anew {:5.0f}\n",
          question.name, clusters, berth * 1e6, 1 / berth, median(anew) * 1e6, ocm * 1e6,
          ocm / berth, ocm / median(anew));
      std::fflush(stdout);
      csv_ << fmt::format("{},clusters,{},{:.9f},{:.9f}\n", question.name, clusters, berth, ocm);
    }
    return true;
  }

  // Berth alone: fleets that OCM would need minutes for.
  void grow_clusters(std::int64_t clusters) {
    const FleetView fleet = make_view(make_objects(clusters));
    const Options options = ocm_exact();
    for (const Question& question : kQuestions) {
      const CompiledPlacement compiled = make_placement("p", question.spec, options);
      report(question.name, "clusters", clusters,
             measure([&] { last_ = schedule(compiled, fleet, kNow, options); }));
    }
  }

  // All placements once, on 1,000 clusters.
  void grow_placements(std::int64_t count) {
    const FleetView fleet = make_view(make_objects(1000));
    const Options options = ocm_exact();
    for (const Question& question : kQuestions) {
      std::vector<CompiledPlacement> placements;
      for (std::int64_t i = 0; i < count; ++i) {
        placements.push_back(make_placement(fmt::format("p{}", i), question.spec, options));
      }
      const auto pass = [&] {
        for (const CompiledPlacement& compiled : placements) {
          last_ = schedule(compiled, fleet, kNow, options);
        }
      };
      report(question.name, "placements", count, measure(pass));
    }
  }

 private:
  void report(std::string_view question, std::string_view axis, std::int64_t count,
              double seconds) {
    fmt::print("{:12} {:7} {:10}  Berth {:12.1f} us\n", question, count, axis, seconds * 1e6);
    std::fflush(stdout);
    csv_ << fmt::format("{},{},{},{:.9f},\n", question, axis, count, seconds);
  }

  void write_fleet(const FleetObjects& objects, const Question& question) {
    json::Value fleet = json::Value::object();
    const auto add = [&fleet](std::string_view name, const std::vector<json::Value>& list) {
      json::Value& all = fleet[name] = json::Value::array();
      for (const json::Value& object : list) all.push_back(object);
    };
    add("clusters", objects.clusters);
    add("scores", objects.scores);
    add("decisions", objects.decisions);
    add("placements", {placement_object("p", question.spec)});
    std::ofstream(folder_ / "fleet.json") << json::print(fleet);
  }

  std::optional<OcmAnswer> ask_ocm() {
    const char* program = std::getenv("BERTH_OCM");
    if (!program) {
      std::fprintf(stderr, "$BERTH_OCM is not set: tests/kube/run bench placement_engine_bench\n");
      return std::nullopt;
    }
    const std::string command =
        fmt::format("'{}' schedule '{}' 2 > '{}'", program, (folder_ / "fleet.json").string(),
                    (folder_ / "answer.json").string());
    if (!kube::run({"sh", "-c", command}).ok()) return std::nullopt;
    std::ifstream file(folder_ / "answer.json");
    std::string line;
    std::getline(file, line);
    const auto parsed = json::parse(line);
    if (!parsed.ok()) return std::nullopt;
    OcmAnswer answer{.seconds = api::field(*parsed, "seconds").as_double().value_or(0),
                     .chosen = {}};
    for (const json::Value& name : api::elements_field(*parsed, "chosen")) {
      answer.chosen.emplace_back(name.string_or_empty());
    }
    return answer;
  }

  std::ofstream csv_;
  std::filesystem::path folder_;
  Schedule last_;  // Kept, so that nothing is optimized away.
};

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  fmt::print(
      "fleet: {}\nrelease build, processor time of one run, median of {} rounds by turns; OCM "
      "v1.2.1\n",
      berth::bench::kFleetText, berth::bench::kRounds);
  berth::bench::Bench bench(std::ofstream(argc > 1 ? argv[1] : "/dev/null"));
  for (const std::int64_t clusters : {100, 300, 1'000, 3'000, 10'000, 30'000, 100'000}) {
    const bool is_compared = clusters == 100 || clusters == 1'000 || clusters == 10'000;
    if (!is_compared) {
      bench.grow_clusters(clusters);
    } else if (!bench.compare(clusters)) {
      return 1;
    }
  }
  for (const std::int64_t count : {1, 10, 100, 1'000, 10'000}) bench.grow_placements(count);
  return 0;
}
