// What a container asks for and may use at most.

#pragma once

#include "apiserver/validation/complaints.h"
#include "apiserver/validation/place.h"

namespace berth::apiserver {

// {requests, limits} of a container.
void check_resources(const Place& resources, Complaints& complaints);

// An amount that is not negative, and whole where the resource comes in pieces.
void check_amount(const Place& amount, std::string_view resource, Complaints& complaints);

}  // namespace berth::apiserver
