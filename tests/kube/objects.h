// The objects in tests/kube/objects, and how they come onto the server under test.

#pragma once

#include <string_view>
#include <vector>

#include "json/value.h"
#include "kube/blocking_api.h"
#include "kube/server.h"

namespace berth::kube {

// The documents of objects/NAME.yaml.
std::vector<json::Value> read_objects(std::string_view name);

// Those of the built-in kinds that such a server has: the embedded hub leaves some out.
std::vector<json::Value> read_served_objects(std::string_view name, ServerKind server);

// Where objects of that apiVersion and kind live; in the namespace of the object, if it has one.
client::ResourcePath collection_of(const json::Value& object);

// Creates the object, then its status and, of a certificate signing request, the conditions that
// the file has under `approval`. An object whose name starts with "deleting" is deleted then.
// Fails the test when the server refuses.
void create_whole(BlockingApi& api, const json::Value& object);

// False if the server does not serve the resource even after a while.
bool wait_until_served(BlockingApi& api, const client::Gvr& resource);

}  // namespace berth::kube
