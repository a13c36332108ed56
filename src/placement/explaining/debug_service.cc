#include "placement/explaining/debug_service.h"

#include <string>
#include <utility>

namespace berth::placement {

control::Route debug_route(std::function<DebugSource()> source) {
  return [source = std::move(source)](const http::ServerRequest& request, http::Answer answer) {
    const std::string& target = request.head.target;
    DebugResponse response =
        answer_debug({.method = http::method_name(request.head.method),
                      .path = std::string_view(target).substr(0, target.find('?')),
                      .body = request.body},
                     source());
    http::ResponseHead head{.status = response.status};
    head.headers.add("content-type", response.content_type);
    head.headers.add("cache-control", "no-cache, private");
    answer.send(std::move(head), std::move(response.body));
  };
}

}  // namespace berth::placement
