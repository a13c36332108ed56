// AuditLog: a file with a line for each request, written by all I/O threads through one loop.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "apiserver/api_service.h"
#include "base/result.h"
#include "env/env.h"

namespace berth::app {

// Lives on one loop; made and destroyed there.
class AuditLog {
 public:
  // Appends to what is there. The file is readable by its owner only.
  static Result<std::unique_ptr<AuditLog>> open(env::Env& env, const std::string& path);

  // After the file was renamed: writes on into a new one of the same name. When that cannot be
  // made, into the old one.
  void reopen();

  // May be called on any loop, for as long as this lives or its loop stands still.
  apiserver::AuditSink sink();

 private:
  AuditLog(env::Env& env, std::string path) : env_(env), path_(std::move(path)) {}

  Status open_file();
  void write(const std::string& line);

  env::Env& env_;
  std::string path_;
  std::unique_ptr<env::File> file_;
  std::uint64_t size_ = 0;
  bool failing_ = false;
  env::Scope scope_;
};

}  // namespace berth::app
