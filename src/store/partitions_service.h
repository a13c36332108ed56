// Partitions: many stores in one. They share its log, its disk and its order of writes; what
// happens in one costs the readers of the others nothing.

#pragma once

#include <map>
#include <memory>
#include <string>

#include "env/loop.h"
#include "env/scope.h"
#include "store/store_service.h"

namespace berth::store {

// Lives on one loop, and so do its stores: nobody else may use them. Another loop has its own.
class Partitions {
 public:
  // The store outlives it.
  Partitions(env::Loop& loop, Store& store);
  ~Partitions();

  // Lives as long as this. Empty: what is in no partition. A name has no '/'.
  Store& of(const std::string& name);

 private:
  class Partition;

  void on_batch(const BatchPtr& batch);

  env::Loop& loop_;
  Store& store_;
  Revision position_ = 0;  // Everything up to here has been heard of.
  bool has_begun_ = false;
  std::map<std::string, std::unique_ptr<Partition>, std::less<>> partitions_;
  env::Scope scope_;
};

}  // namespace berth::store
