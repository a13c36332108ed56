#include "apiserver/user.h"

#include <algorithm>

namespace berth::apiserver {

bool User::is_in(std::string_view group) const {
  return std::ranges::find(groups, group) != groups.end();
}

}  // namespace berth::apiserver
