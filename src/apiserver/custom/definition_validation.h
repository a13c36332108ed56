// Whether a CustomResourceDefinition can be served, in kube-apiserver's words where it cannot.

#pragma once

#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// The object has its defaults (with_definition_defaults). `old` is what an update replaces, null
// on create. Metadata other than the name is not looked at.
//
// One thing is refused that Kubernetes accepts: conversion by webhook.
std::vector<Cause> validate_definition(const json::Value& object, const json::Value* old);

}  // namespace berth::apiserver
