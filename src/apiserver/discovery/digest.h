// Hashes of what is published: by them clients see that what they have is still right.

#pragma once

#include <string>
#include <string_view>

namespace berth::apiserver {

// SHA-512 in upper-case hexadecimal, as Kubernetes writes it in ETags and in the index of OpenAPI.
std::string document_hash(std::string_view text);

// What discovery says of how objects are stored: changes when their group, version or kind does.
std::string storage_version_hash(std::string_view storage_version, std::string_view kind);

}  // namespace berth::apiserver
