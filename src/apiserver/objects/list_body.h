// The body of a long list: the texts of its objects, one after the other, with something before,
// between and after. They are the store's own: nothing is copied before the client takes it, so
// that a list costs no memory however long it is and however slowly it is read.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/body.h"
#include "store/entry.h"

namespace berth::apiserver {

class ListBody final : public http::BodySource {
 public:
  // The head ends with "[" and the tail begins with "]".
  ListBody(std::string head, std::vector<store::EntryPtr> entries, std::string tail);

  http::Pull pull(std::span<char> room) override;

 private:
  std::string_view piece() const;
  bool is_over() const;

  std::string head_;
  std::vector<store::EntryPtr> entries_;
  std::string tail_;
  std::size_t at_ = 0;    // Head, entry, comma, entry, ..., tail.
  std::size_t sent_ = 0;  // Of that piece.
};

}  // namespace berth::apiserver
