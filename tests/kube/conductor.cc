#include "kube/conductor.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strings.h"
#include "kube/contents.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr char kConducted[] = "BERTH_CONDUCTED";
constexpr auto kGlance = std::chrono::milliseconds(20);
constexpr auto kLongest = std::chrono::minutes(10);  // Each test in it has a limit of its own.
constexpr std::size_t kSecondTries = 8;              // More than that is no bad luck.

// Tests that share a process, because they share servers.
struct Unit {
  std::string name;
  std::vector<std::string> tests;
};

struct Outcome {
  bool ended_well = false;
  std::set<std::string> passed = {};
  std::string output = {};
  double seconds = 0;
};

// Whoever stops the conductor stops everything that it has started.
std::array<volatile pid_t, 16> groups{};

void end_all(int signal) {
  for (const pid_t group : groups) {
    if (group != 0) ::kill(-group, SIGKILL);
  }
  ::_exit(128 + signal);
}

class Process {
 public:
  Process(const Concert& concert, std::vector<std::string> flags, fs::path log)
      : log_(std::move(log)), start_(Clock::now()) {
    std::vector<std::string> words = {concert.program.string()};
    words.insert(words.end(), concert.flags.begin(), concert.flags.end());
    words.insert(words.end(), flags.begin(), flags.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::fflush(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) become(pointers.data());
    ::setpgid(pid_, pid_);  // Here too: whichever comes first.
    slot_ = std::ranges::find(groups, 0);
    *slot_ = pid_;
  }

  // Whether it has ended by now; if so, everything that it left behind has, too.
  bool has_ended() {
    if (Clock::now() - start_ > kLongest) ::kill(-pid_, SIGKILL);
    if (::waitpid(pid_, &status_, WNOHANG) != pid_) return false;
    ::kill(-pid_, SIGKILL);
    *slot_ = 0;
    return true;
  }

  Outcome outcome() const {
    Outcome outcome{.ended_well = WIFEXITED(status_) && WEXITSTATUS(status_) == 0,
                    .output = contents(log_),
                    .seconds = std::chrono::duration<double>(Clock::now() - start_).count()};
    for (std::string_view line : split(outcome.output, '\n')) {
      constexpr std::string_view kPassed = "[       OK ] ";
      constexpr std::string_view kSkipped = "[  SKIPPED ] ";
      if (!line.starts_with(kPassed) && !line.starts_with(kSkipped)) continue;
      line.remove_prefix(kPassed.size());
      outcome.passed.emplace(line.substr(0, line.find(" (")));
    }
    return outcome;
  }

 private:
  [[noreturn]] void become(char* const* words) const {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int log = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::setenv(kConducted, "1", 1);
    ::setenv("GTEST_BRIEF", "0", 1);
    ::execv(words[0], words);
    ::_exit(127);
  }

  fs::path log_;
  Clock::time_point start_;
  pid_t pid_ = 0;
  int status_ = 0;
  decltype(groups)::iterator slot_ = groups.end();
};

class Conductor {
 public:
  explicit Conductor(const Concert& concert) : concert_(concert) {
    std::string pattern = (fs::temp_directory_path() / "berth-tests-XXXXXX").string();
    if (::mkdtemp(pattern.data())) folder_ = pattern;
    std::signal(SIGINT, &end_all);
    std::signal(SIGTERM, &end_all);
  }
  ~Conductor() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  int run() {
    std::vector<Unit> units = list();
    std::ranges::sort(units, {}, [this](const Unit& unit) {
      return std::pair(rank(unit), -std::ssize(unit.tests));
    });
    for (const Unit& unit : units) planned_ += unit.tests.size();
    if (planned_ == 0) {
      fmt::print("No test has such a name.\n");
      return EXIT_FAILURE;
    }
    play(units);
    try_again();
    return tell();
  }

 private:
  std::vector<Unit> list() {
    Process process(concert_, {"--gtest_list_tests"}, folder_ / "list");
    while (!process.has_ended()) std::this_thread::sleep_for(kGlance);
    std::vector<Unit> units;
    std::string suite;
    const Outcome listed = process.outcome();
    for (std::string_view line : split(listed.output, '\n')) {
      line = line.substr(0, line.find("  # "));
      if (line.starts_with("  ")) {
        add(units, suite, suite + std::string(line.substr(2)));
      } else if (line.ends_with('.')) {
        suite = line;
      }
    }
    return units;
  }

  // What takes a parameter makes its servers for each of them.
  static void add(std::vector<Unit>& units, const std::string& suite, std::string test) {
    const bool has_parameter = suite.contains('/') || test.contains('/');
    const std::string name = has_parameter ? test : suite + "*";
    if (units.empty() || units.back().name != name) units.push_back({.name = name, .tests = {}});
    units.back().tests.push_back(std::move(test));
  }

  // When its turn comes; the largest first among those of which nothing is known.
  std::ptrdiff_t rank(const Unit& unit) const {
    const auto known = std::ranges::find_if(
        concert_.longest, [&unit](const std::string& name) { return unit.name.starts_with(name); });
    return known - concert_.longest.begin();
  }

  void play(const std::vector<Unit>& units) {
    std::vector<std::pair<const Unit*, std::unique_ptr<Process>>> playing;
    std::deque<const Unit*> waiting;
    for (const Unit& unit : units) waiting.push_back(&unit);
    while (!waiting.empty() || !playing.empty()) {
      while (!waiting.empty() && playing.size() < static_cast<std::size_t>(concert_.jobs)) {
        const Unit* next = waiting.front();
        waiting.pop_front();
        playing.emplace_back(next, start(*next));
      }
      std::erase_if(playing, [this](auto& one) {
        if (!one.second->has_ended()) return false;
        judge(*one.first, one.second->outcome());
        return true;
      });
      std::this_thread::sleep_for(kGlance);
    }
  }

  std::unique_ptr<Process> start(const Unit& unit) {
    return std::make_unique<Process>(
        concert_,
        std::vector<std::string>{fmt::format("--gtest_filter={}", fmt::join(unit.tests, ":"))},
        folder_ / std::to_string(++started_));
  }

  void judge(const Unit& unit, const Outcome& outcome) {
    std::vector<std::string> troubled;
    for (const std::string& test : unit.tests) {
      if (!outcome.passed.contains(test)) troubled.push_back(test);
    }
    passed_ += unit.tests.size() - troubled.size();
    // Something about all of them, or a crash at the very end.
    const bool only_as_a_whole = troubled.empty() && !outcome.ended_well;
    if (only_as_a_whole) {
      troubled.push_back(unit.tests.back());
      --passed_;
    }
    fmt::print("{} {} ({:.1f} s)\n", troubled.empty() ? "passed" : "FAILED", unit.name,
               outcome.seconds);
    if (!troubled.empty()) fmt::print("{}\n", outcome.output);
    std::fflush(stdout);
    troubled_.insert(troubled_.end(), troubled.begin(), troubled.end());
  }

  void try_again() {
    for (const std::string& test : troubled_) {
      if (troubled_.size() > kSecondTries) {
        failed_.push_back(test);
        continue;
      }
      fmt::print("{} once more, alone\n", test);
      const std::unique_ptr<Process> process = start({.name = test, .tests = {test}});
      while (!process->has_ended()) std::this_thread::sleep_for(kGlance);
      const Outcome outcome = process->outcome();
      if (outcome.ended_well && outcome.passed.contains(test)) {
        flaky_.push_back(test);
        ++passed_;
      } else {
        failed_.push_back(test);
        fmt::print("{}\n", outcome.output);
      }
    }
  }

  int tell() const {
    for (const std::string& test : flaky_) fmt::print("flaky: {}\n", test);
    for (const std::string& test : failed_) {
      fmt::print("FAILED: {}\n  again: {} --gtest_filter='{}'\n", test, concert_.repeat, test);
    }
    fmt::print("{} passed, {} failed\n", passed_, failed_.size());
    return failed_.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
  }

  const Concert& concert_;
  fs::path folder_;
  int started_ = 0;
  std::size_t planned_ = 0;
  std::size_t passed_ = 0;
  std::vector<std::string> troubled_;
  std::vector<std::string> flaky_;
  std::vector<std::string> failed_;
};

}  // namespace

bool is_conducted() { return std::getenv(kConducted) != nullptr; }

int conduct(const Concert& concert) { return Conductor(concert).run(); }

}  // namespace berth::kube
