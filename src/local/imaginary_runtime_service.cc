// Tested by kubelet_controller_test.cc.
#include "local/imaginary_runtime_service.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/metadata.h"
#include "base/strings.h"
#include "env/scope.h"
#include "local/pod_status.h"

namespace berth::local {
namespace {

using json::Value;

constexpr Duration kShortRun = std::chrono::seconds(10);

class Imaginary final : public RunningContainer {
 public:
  Imaginary(const env::Env& env, int exit_code, ContainerEnded ended)
      : env_(env), exit_code_(exit_code), ended_(std::move(ended)) {}

  void run_for(Duration length) {
    timer_ = env::after(env_.loop, env_.clock, length,
                        scope_.guard([this] { std::exchange(ended_, nullptr)(exit_code_); }));
  }

  // It has nothing to finish.
  void stop(Duration) override {
    exit_code_ = 0;
    if (ended_) run_for(Duration::zero());
  }
  void refresh(const ContainerSpec&) override {}

 private:
  env::Env env_;
  int exit_code_;
  ContainerEnded ended_;
  env::Timer timer_ = {};
  env::Scope scope_;
};

Result<std::optional<Duration>> length_of(const Value& pod) {
  const auto text = api::Metadata(pod).annotations().find(kRunsFor);
  if (!text && restart_policy(pod) == RestartPolicy::Always) return std::optional<Duration>();
  if (!text) return std::optional(kShortRun);
  const auto seconds = text->ends_with('s') ? parse_int64(text->substr(0, text->size() - 1))
                                            : std::optional<std::int64_t>();
  if (!seconds || *seconds < 0 || *seconds > 1'000'000'000) {
    return failure(Code::Invalid, fmt::format("annotation {}: \"{}\" is no number of seconds such "
                                              "as 30s",
                                              kRunsFor, *text));
  }
  return std::optional<Duration>(std::chrono::seconds(*seconds));
}

Result<int> exit_code_of(const Value& pod) {
  const auto text = api::Metadata(pod).annotations().find(kExitCode);
  if (!text) return 0;
  const auto code = parse_int64(*text);
  if (!code || *code < 0 || *code > 255) {
    return failure(Code::Invalid, fmt::format("annotation {}: \"{}\" is no number from 0 to 255",
                                              kExitCode, *text));
  }
  return static_cast<int>(*code);
}

}  // namespace

Result<std::unique_ptr<RunningContainer>> ImaginaryRuntime::start(const Value& pod,
                                                                  const ContainerSpec&,
                                                                  ContainerEnded ended) {
  ASSIGN_OR_RETURN(const std::optional<Duration> length, length_of(pod));
  ASSIGN_OR_RETURN(const int exit_code, exit_code_of(pod));
  auto container = std::make_unique<Imaginary>(env_, exit_code, std::move(ended));
  if (length) container->run_for(*length);
  return container;
}

}  // namespace berth::local
