// A tiny service that runs in both worlds: a log to which clients append lines over the network.
// What it has acknowledged survives everything that a disk may do.
//
// Protocol: "append ID\n" is answered by "ok ID INDEX\n" once the entry is durable. The same ID
// again gets the same answer, so clients may repeat themselves.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "env/env.h"
#include "env/scope.h"

namespace berth::worlds {

// Known mistakes, to see whether the simulator finds them.
enum class Mistake {
  None,
  AnswersBeforeSync,
  ForgetsTheDirectory,  // Syncs the file, and not its name.
  TrustsTornRecords,    // Does not look at checksums when it starts.
  TrustsTheCache,       // Takes for durable, when it starts, what the last life failed to sync.
};

struct AppendLogOptions {
  std::string directory;
  env::Address listen;
  Mistake mistake = Mistake::None;
};

class AppendLog {
 public:
  // `on_doubt` is called once, when the disk cannot be trusted any more: the owner ends the
  // process.
  AppendLog(env::Env& env, AppendLogOptions options, std::function<void(const Error&)> on_doubt);
  ~AppendLog();

  // Reads what is there and begins to listen.
  Status open();

  bool is_open() const { return listener_ != nullptr; }
  env::Address address() const { return listener_->address(); }
  const std::vector<std::string>& entries() const { return entries_; }

 private:
  class Session;
  struct Request {
    std::uint64_t session;
    std::string id;
  };

  Status recover();
  std::size_t load(std::string_view bytes);
  Status listen();
  void on_line(std::uint64_t session, std::string_view line);
  void commit();
  Status write(const std::vector<Request>& batch);
  void answer(const std::vector<Request>& batch);
  void sync_later();
  void doubt(const Error& error);
  void end(std::uint64_t session);

  env::Env& env_;
  AppendLogOptions options_;
  std::function<void(const Error&)> on_doubt_;
  std::unique_ptr<env::File> file_;
  std::uint64_t size_ = 0;
  std::vector<std::string> entries_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<Request> waiting_;
  std::map<std::uint64_t, std::unique_ptr<Session>> sessions_;
  std::uint64_t last_session_ = 0;
  env::Timer late_sync_;
  bool doubtful_ = false;
  std::unique_ptr<env::Listener> listener_;
  env::Scope scope_;
};

}  // namespace berth::worlds
