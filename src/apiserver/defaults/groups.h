// The groups of rules that more than one family of kinds includes.

#pragma once

#include "apiserver/defaults/rules.h"

namespace berth::apiserver {

extern const RuleGroup kPodSpecRules;       // Of pods and templates alike.
extern const RuleGroup kPodTemplateRules;   // metadata and spec.
extern const RuleGroup kVolumeSourceRules;  // What volumes of pods and persistent ones share.
extern const RuleGroup kVolumeClaimRules;   // A whole PersistentVolumeClaim.
extern const RuleGroup kClaimSpecRules;     // Its spec.

}  // namespace berth::apiserver
