// What a kube-apiserver v1.35 answered to creating definitions, recorded by hand. Where it shows
// whole Go structures as values, or says the same of spec.version again, the record is shortened.

#pragma once

#include <string_view>

namespace berth::apiserver::testing {

inline constexpr std::string_view kRecordedBase = R"json({
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "bars.ex.io"},
  "spec": {"group": "ex.io", "scope": "Namespaced", "names": {"plural": "bars", "kind": "Bar"},
    "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
      {"type": "object", "properties": {"spec": {"type": "object"}}}}}]}})json";

struct RecordedDefinition {
  // Pairs of a place and what stands there; null takes it out. /version is the first version,
  // /schema its schema and /spec the schema of spec.
  std::string_view edits;
  // The causes as lines, sorted. @ is spec.validation.openAPIV3Schema, % the property spec.a in it.
  std::string_view outcome;
};

inline constexpr RecordedDefinition kRecordedDefinitions[] = {
    {"[]", "ok"},
    {"[[\"/metadata/name\",\"foos.ex.io\"]]",
     "metadata.name Invalid Invalid value: \"foos.ex.io\": must be spec.names.plura"
     "l+\".\"+spec.group"},
    {"[[\"/spec/group\",\"\"]]",
     "metadata.name Invalid Invalid value: \"bars.ex.io\": must be spec.names.plura"
     "l+\".\"+spec.group\nspec.group Required Required value"},
    {"[[\"/spec/group\",\"ex\"],[\"/metadata/name\",\"bars.ex\"]]",
     "spec.group Invalid Invalid value: \"ex\": should be a domain with at least on"
     "e dot"},
    {"[[\"/spec/group\",\"E X.io\"]]",
     "metadata.name Invalid Invalid value: \"bars.ex.io\": must be spec.names.plura"
     "l+\".\"+spec.group\nspec.group Invalid Invalid value: \"E X.io\": a lowercase"
     " RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' o"
     "r '.', and must start and end with an alphanumeric character (e.g. 'example.c"
     "om', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]("
     "[-a-z0-9]*[a-z0-9])?)*')"},
    {"[[\"/spec/scope\",\"Global\"]]",
     "spec.scope NotSupported Unsupported value: \"Global\": supported values: "
     "\"Cluster\", \"Namespaced\""},
    {"[[\"/spec/names/kind\",\"Ba r\"]]",
     "spec.names.kind Invalid Invalid value: \"Ba r\": may have mixed case, but sho"
     "uld otherwise match: a DNS-1035 label must consist of lower case alphanumeric"
     " characters or '-', start with an alphabetic character, and end with an alpha"
     "numeric character (e.g. 'my-name',  or 'abc-123', regex used for validation i"
     "s '[a-z]([-a-z0-9]*[a-z0-9])?')\nspec.names.listKind Invalid Invalid value: "
     "\"Ba rList\": may have mixed case, but should otherwise match: a DNS-1035 lab"
     "el must consist of lower case alphanumeric characters or '-', start with an a"
     "lphabetic character, and end with an alphanumeric character (e.g. 'my-name', "
     " or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
     "\nspec.names.singular Invalid Invalid value: \"ba r\": a DNS-1035 label must "
     "consist of lower case alphanumeric characters or '-', start with an alphabeti"
     "c character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc"
     "-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"},
    {"[[\"/spec/names/listKind\",\"Bar\"]]",
     "spec.names.listKind Invalid Invalid value: \"Bar\": kind and listKind may not"
     " be the same"},
    {"[[\"/spec/names/shortNames\",[\"B\"]]]",
     "spec.names.shortNames[0] Invalid Invalid value: \"B\": a DNS-1035 label must "
     "consist of lower case alphanumeric characters or '-', start with an alphabeti"
     "c character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc"
     "-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"},
    {"[[\"/spec/names/categories\",[\"All\"]]]",
     "spec.names.categories[0] Invalid Invalid value: \"All\": a DNS-1035 label mus"
     "t consist of lower case alphanumeric characters or '-', start with an alphabe"
     "tic character, and end with an alphanumeric character (e.g. 'my-name',  or 'a"
     "bc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"},
    {"[[\"/version/name\",\"V 1\"]]",
     "spec.versions[0].name Invalid Invalid value: \"V 1\": a DNS-1035 label must c"
     "onsist of lower case alphanumeric characters or '-', start with an alphabetic"
     " character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-"
     "123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"},
    {"[[\"/version/storage\",false]]",
     "spec.versions Invalid Invalid value: must have exactly one version marked as "
     "storage version\nstatus.storedVersions Invalid Invalid value: null: must have"
     " at least one stored version"},
    {"[[\"/version/schema\",null]]",
     "spec.versions[0].schema.openAPIV3Schema Required Required value"},
    {"[[\"/spec/conversion\",{\"strategy\":\"Odd\"}]]",
     "spec.conversion.strategy NotSupported Unsupported value: \"Odd\": supported v"
     "alues: \"None\", \"Webhook\""},
    {"[[\"/spec/preserveUnknownFields\",true]]",
     "spec.preserveUnknownFields Invalid Invalid value: true: cannot set to true, s"
     "et x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema in"
     "stead"},
    {"[[\"/version/deprecationWarning\",\"x\"]]",
     "spec.versions[0].deprecationWarning Invalid Invalid value: \"x\": can only be"
     " set for deprecated versions"},
    {"[[\"/version/deprecated\",true],[\"/version/deprecationWarning\",\"\"]]",
     "spec.versions[0].deprecationWarning Invalid Invalid value: \"\": must not be "
     "an empty string"},
    {"[[\"/version/subresources\",{\"scale\":{\"specReplicasPath\":\".spec.replicas"
     "\",\"statusReplicasPath\":\".spec.replicas\",\"labelSelectorPath\":\".x.y"
     "\"}}]]",
     "spec.subresources.scale.labelSelectorPath Invalid Invalid value: \".x.y\": sh"
     "ould be a json path under either .spec or .status\nspec.subresources.scale.st"
     "atusReplicasPath Invalid Invalid value: \".spec.replicas\": should be a json "
     "path under .status"},
    {"[[\"/version/subresources\",{\"scale\":{\"specReplicasPath\":\"spec\",\"statu"
     "sReplicasPath\":\".status.replicas\"}}]]",
     "spec.subresources.scale.specReplicasPath Invalid Invalid value: \"spec\": mus"
     "t be a simple json path starting with ."},
    {"[[\"/version/additionalPrinterColumns\",[{\"name\":\"\",\"type\":\"odd"
     "\",\"format\":\"odd\",\"jsonPath\":\"x\"},{\"name\":\"a\",\"type\":\"string"
     "\",\"jsonPath\":\".a\"}]]]",
     "spec.additionalPrinterColumns[0].JSONPath Invalid Invalid value: \"x\": must "
     "be a simple json path starting with .\nspec.additionalPrinterColumns[0].forma"
     "t Invalid Invalid value: \"odd\": must be one of byte,date,date-time,double,f"
     "loat,int32,int64,password\nspec.additionalPrinterColumns[0].name Required Req"
     "uired value\nspec.additionalPrinterColumns[0].type Invalid Invalid value: "
     "\"odd\": must be one of boolean,date,integer,number,string"},
    {"[[\"/version/selectableFields\",[{\"jsonPath\":\".spec.color\"}]]]",
     "spec.selectableFields[0].jsonPath Invalid Invalid value: \".spec.color\": is "
     "an invalid path: does not refer to a valid field"},
    {"[[\"/version/selectableFields\",[{\"jsonPath\":\".metadata.name\"}]]]",
     "spec.selectableFields[0].jsonPath Invalid Invalid value: \".metadata.name"
     "\": is an invalid path: does not refer to a valid field"},
    {"[[\"/version/selectableFields\",[{\"jsonPath\":\".spec\"}]]]",
     "spec.selectableFields[0].jsonPath Invalid Invalid value: \".spec\": must poin"
     "t to a field of type string, boolean or integer. Enum string fields and strin"
     "gs with formats are allowed."},
    {"[[\"/version/selectableFields\",[{\"jsonPath\":\"spec\"}]]]",
     "spec.selectableFields[0].jsonPath Invalid Invalid value: \"spec\": is an inva"
     "lid path: expected [ or . but got: spec"},
    {"[[\"/schema\",{}]]", "@.type Required Required value: must not be empty at the root"},
    {"[[\"/schema\",{\"type\":\"string\"}]]",
     "@.type Invalid Invalid value: \"string\": must be object at the root"},
    {"[[\"/schema\",{\"type\":\"object\",\"nullable\":true}]]",
     "@.nullable Forbidden Forbidden: nullable cannot be true at the root"},
    {"[[\"/schema\",{\"type\":\"object\",\"additionalProperties\":{\"type\":\"strin"
     "g\"}}]]",
     "@.additionalProperties Forbidden Forbidden: must not be used at the root"},
    {"[[\"/schema\",{\"type\":\"object\",\"properties\":{\"metadata\":{\"type"
     "\":\"object\",\"properties\":{\"labels\":{\"type\":\"object\"}}}}}]]",
     "@.properties[metadata] Forbidden Forbidden: must not specify anything other t"
     "han name and generateName, but metadata is implicitly specified"},
    {"[[\"/schema\",{\"type\":\"object\",\"properties\":{\"metadata\":{\"type"
     "\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"pattern"
     "\":\"^a\"}}}}}]]",
     "ok"},
    {"[[\"/schema\",{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"integ"
     "er\"}}}]]",
     "@.properties[kind].type Invalid Invalid value: \"integer\": must be string"},
    {"[[\"/schema\",{\"type\":\"object\",\"properties\":{\"metadata\":{\"type"
     "\":\"string\"}}}]]",
     "@.properties[metadata].type Invalid Invalid value: \"string\": must be object"},
    {"[[\"/schema\",{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"strin"
     "g\",\"default\":\"x\"}}}]]",
     "@.properties[kind].default Forbidden Forbidden: must not be set in top-level "
     "kind"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{}}}]]",
     "%.type Required Required value: must not be empty for specified object fields"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\"}}}"
     "]]",
     "%.items Required Required value: must be specified"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array"
     "\",\"items\":{}}}}]]",
     "%.items.type Required Required value: must not be empty for specified array i"
     "tems"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"odd\"}}}]]",
     "%.type NotSupported Unsupported value: \"odd\": supported values: \"array"
     "\", \"boolean\", \"integer\", \"number\", \"object\", \"string\""},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"null\"}}}]"
     "]",
     "%.type Forbidden Forbidden: type cannot be set to null, use nullable as an al"
     "ternative\n%.type NotSupported Unsupported value: \"null\": supported values:"
     " \"array\", \"boolean\", \"integer\", \"number\", \"object\", \"string\""},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"properties\":{\"b\":{\"type\":\"string\"}},\"additionalProperties"
     "\":{\"type\":\"string\"}}}}]]",
     "%.additionalProperties Forbidden Forbidden: additionalProperties and properti"
     "es are mutual exclusive"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"properties\":{\"b\":{\"type\":\"string\"}},\"additionalProperties\":fals"
     "e}}}]]",
     "%.additionalProperties Forbidden Forbidden: additionalProperties and properti"
     "es are mutual exclusive"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"additionalProperties\":false}}}]]",
     "ok"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"uniqueItems\":true}}}]]",
     "%.uniqueItems Forbidden Forbidden: uniqueItems cannot be set to true since th"
     "e runtime complexity becomes quadratic"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/x"
     "\",\"type\":\"object\"}}}]]",
     "%.$ref Forbidden Forbidden: $ref is not supported"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"patternProperties\":{\"a\":{\"type\":\"string\"}}}}}]]",
     "%.patternProperties Forbidden Forbidden: patternProperties is not supported"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"definitions\":{\"a\":{\"type\":\"string\"}}}}}]]",
     "%.definitions Forbidden Forbidden: definitions is not supported"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array"
     "\",\"items\":[{\"type\":\"string\"}]}}}]]",
     "%.items Forbidden Forbidden: items must be a schema object and not an array"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"pattern\":\"(\"}}}]]",
     "%.pattern Invalid Invalid value: \"(\": must be a valid regular expression, b"
     "ut isn't: error parsing regexp: missing closing ): `(`"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-preserve-unknown-fields\":false}}}]]",
     "%.x-kubernetes-preserve-unknown-fields Invalid Invalid value: false: must be "
     "true or undefined"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"x-kubernetes-int-or"
     "-string\":true,\"x-kubernetes-preserve-unknown-fields\":true}}}]]",
     "%.x-kubernetes-preserve-unknown-fields Invalid Invalid value: true: must be f"
     "alse if x-kubernetes-int-or-string is true"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"x-kubernetes-int-or"
     "-string\":true,\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}}}]]",
     "ok"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"x-kubernetes-int-or"
     "-string\":true,\"allOf\":[{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"stri"
     "ng\"}]}]}}}]]",
     "ok"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"anyOf\":[{\"type\":\"string\"}]}}}]]",
     "%.anyOf[0].type Forbidden Forbidden: must be empty to be structural"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"x-kubernetes-embedded-resource\":true}}}]]",
     "%.properties Required Required value: must not be empty if x-kubernetes-embed"
     "ded-resource is true without x-kubernetes-preserve-unknown-fields"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"x-kubernetes-embedd"
     "ed-resource\":true,\"x-kubernetes-preserve-unknown-fields\":true}}}]]",
     "%.type Required Required value: must be object if x-kubernetes-embedded-resou"
     "rce is true"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"x-kubernetes-embedded-resource\":true,\"x-kubernetes-preserve-unknown-fi"
     "elds\":true,\"additionalProperties\":true}}}]]",
     "%.additionalProperties Forbidden Forbidden: must not be used if x-kubernetes-"
     "embedded-resource is set"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"allOf\":[{\"type\":\"string\",\"title\":\"t\",\"description"
     "\":\"d\",\"default\":\"x\",\"nullable\":true,\"x-kubernetes-list-type\":\"set"
     "\",\"x-kubernetes-list-map-keys\":[\"a\"],\"x-kubernetes-map-type\":\"atomic"
     "\",\"x-kubernetes-preserve-unknown-fields\":true,\"x-kubernetes-embedded-reso"
     "urce\":true,\"x-kubernetes-int-or-string\":true,\"additionalProperties\":true"
     ",\"x-kubernetes-validations\":[{\"rule\":\"true\"}]}]}}}]]",
     "%.allOf[0].additionalProperties Forbidden Forbidden: must be undefined to be "
     "structural\n%.allOf[0].default Forbidden Forbidden: must be undefined to be s"
     "tructural\n%.allOf[0].description Forbidden Forbidden: must be empty to be st"
     "ructural\n%.allOf[0].nullable Forbidden Forbidden: must be false to be struct"
     "ural\n%.allOf[0].title Forbidden Forbidden: must be empty to be structural"
     "\n%.allOf[0].type Forbidden Forbidden: must be empty to be structural\n%.allO"
     "f[0].type Invalid Invalid value: \"string\": must be array if x-kubernetes-li"
     "st-type is specified\n%.allOf[0].type Invalid Invalid value: \"string\": must"
     " be object if x-kubernetes-map-type is specified\n%.allOf[0].x-kubernetes-emb"
     "edded-resource Forbidden Forbidden: must be false to be structural\n%.allOf[0"
     "].x-kubernetes-int-or-string Forbidden Forbidden: must be false to be structu"
     "ral\n%.allOf[0].x-kubernetes-list-map-keys Forbidden Forbidden: must be empty"
     " to be structural\n%.allOf[0].x-kubernetes-list-type Forbidden Forbidden: mus"
     "t be undefined to be structural\n%.allOf[0].x-kubernetes-list-type Invalid In"
     "valid value: \"set\": must be map if x-kubernetes-list-map-keys is non-empty"
     "\n%.allOf[0].x-kubernetes-map-type Forbidden Forbidden: must be undefined to "
     "be structural\n%.allOf[0].x-kubernetes-preserve-unknown-fields Forbidden Forb"
     "idden: must be false to be structural\n%.allOf[0].x-kubernetes-validations Fo"
     "rbidden Forbidden: must be empty to be structural"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"anyOf\":[{\"properties\":{\"metadata\":{\"minLength\":1}}}]}}}]]",
     "%.anyOf[0].properties[metadata] Forbidden Forbidden: must not be specified in"
     " a nested context"},
    {"[[\"/schema\",{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"objec"
     "t\"}},\"anyOf\":[{\"properties\":{\"zz\":{\"minLength\":1}}}]}]]",
     "@.properties[zz] Required Required value: because it is defined in @.anyOf[0]"
     ".properties[zz]"},
    {"[[\"/schema\",{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"objec"
     "t\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string"
     "\"}}}}},\"not\":{\"properties\":{\"spec\":{\"properties\":{\"a\":{\"items"
     "\":{\"pattern\":\"x\"}},\"b\":{\"minimum\":1}}}}}}]]",
     "@.properties[spec].properties[b] Required Required value: because it is defin"
     "ed in @.not.properties[spec].properties[b]"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-map-type\":\"atomic\"}}}]]",
     "%.type Invalid Invalid value: \"string\": must be object if x-kubernetes-map-"
     "type is specified"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"x-kubernetes-map-type\":\"odd\"}}}]]",
     "%.x-kubernetes-map-type NotSupported Unsupported value: \"odd\": supported va"
     "lues: \"atomic\", \"granular\""},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"x-kubernetes-preser"
     "ve-unknown-fields\":true,\"x-kubernetes-map-type\":\"atomic\"}}}]]",
     "%.type Required Required value: must be object if x-kubernetes-map-type is sp"
     "ecified"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-list-type\":\"set\"}}}]]",
     "%.type Invalid Invalid value: \"string\": must be array if x-kubernetes-list-"
     "type is specified"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array"
     "\",\"items\":{\"type\":\"string\"},\"x-kubernetes-list-type\":\"odd\"}}}]]",
     "%.x-kubernetes-list-type NotSupported Unsupported value: \"odd\": supported v"
     "alues: \"atomic\", \"set\", \"map\""},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array"
     "\",\"items\":{\"type\":\"object\"},\"x-kubernetes-list-type\":\"set\"}}}]]",
     "%.items.x-kubernetes-map-type Invalid Invalid value: null: must be atomic as "
     "item of a list with x-kubernetes-list-type=set"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array"
     "\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"x-kubernet"
     "es-list-type\":\"set\"},\"x-kubernetes-list-type\":\"set\"}}}]]",
     "%.items.x-kubernetes-list-type Invalid Invalid value: \"set\": must be atomic"
     " as item of a list with x-kubernetes-list-type=set"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array"
     "\",\"items\":{\"type\":\"string\"},\"x-kubernetes-list-map-keys\":[\"a\"]}}}]"
     "]",
     "%.x-kubernetes-list-type Required Required value: must be map if x-kubernetes"
     "-list-map-keys is non-empty"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array"
     "\",\"items\":{\"type\":\"string\"},\"x-kubernetes-list-type\":\"map\"}}}]]",
     "%.items.type Invalid Invalid value: \"string\": must be object if parent arra"
     "y's x-kubernetes-list-type is map\n%.x-kubernetes-list-map-keys Required Requ"
     "ired value: must not be empty if x-kubernetes-list-type is map"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array"
     "\",\"items\":{\"type\":\"object\",\"properties\":{\"k\":{\"type\":\"object"
     "\"}}},\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys"
     "\":[\"k\",\"z\",\"k\"]}}}]]",
     "%.items.properties[k].default Required Required value: this property is in x-"
     "kubernetes-list-map-keys, so it must have a default or be a required property"
     "\n%.items.properties[k].default Required Required value: this property is in "
     "x-kubernetes-list-map-keys, so it must have a default or be a required proper"
     "ty\n%.items.properties[k].type Invalid Invalid value: \"object\": must be a s"
     "calar type if parent array's x-kubernetes-list-type is map\n%.items.propertie"
     "s[k].type Invalid Invalid value: \"object\": must be a scalar type if parent "
     "array's x-kubernetes-list-type is map\n%.x-kubernetes-list-map-keys Invalid I"
     "nvalid value: [\"k\",\"z\",\"k\"]: entries must all be names of item properti"
     "es\n%.x-kubernetes-list-map-keys Invalid Invalid value: [\"k\",\"z\",\"k\"]: "
     "must not contain duplicate entries"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array"
     "\",\"items\":{\"type\":\"object\",\"nullable\":true,\"properties"
     "\":{\"k\":{\"type\":\"string\",\"nullable\":true}}},\"x-kubernetes-list-type"
     "\":\"map\",\"x-kubernetes-list-map-keys\":[\"k\"]}}}]]",
     "%.items.nullable Forbidden Forbidden: cannot be nullable when x-kubernetes-li"
     "st-type is map\n%.items.properties[k].default Required Required value: this p"
     "roperty is in x-kubernetes-list-map-keys, so it must have a default or be a r"
     "equired property\n%.items.properties[k].nullable Forbidden Forbidden: this pr"
     "operty is in x-kubernetes-list-map-keys, so it cannot be nullable"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"default\":5}}}]]",
     "%.default TypeInvalid Invalid value: \"integer\":  in body must be of type st"
     "ring: \"integer\""},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"default\":{\"z\":1},\"properties\":{\"b\":{\"type\":\"string\"}}}}}]]",
     "%.default Invalid Invalid value: {\"z\":1}: must not have unknown fields"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"default\":{\"b\":\"long\"},\"properties\":{\"b\":{\"type\":\"string"
     "\",\"maxLength\":2}}}}}]]",
     "%.default.b TooLong Too long: may not be more than 2 bytes"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"maxLength\":10,\"default\":\"bad\",\"x-kubernetes-validations\":[{\"rule"
     "\":\"self != 'bad'\"}]}}}]]",
     "%.default Invalid Invalid value: \"bad\": failed rule: self != 'bad'"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"\"}]}}}]]",
     "%.x-kubernetes-validations[0].rule Required Required value: rule is not speci"
     "fied"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"true\",\"message\":\" \"}]}}}]]",
     "%.x-kubernetes-validations[0].message Invalid Invalid value: \" \": must be n"
     "on-empty if specified"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"true\",\"message\":\"a\\nb\"}]}}"
     "}]]",
     "%.x-kubernetes-validations[0].message Invalid Invalid value: \"a\\nb\": must "
     "not contain line breaks"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"true\\n\",\"messageExpression"
     "\":\" \",\"reason\":\"Odd\"}]}}}]]",
     "%.x-kubernetes-validations[0].messageExpression Required Required value: mess"
     "ageExpression must be non-empty if specified\n%.x-kubernetes-validations[0].r"
     "eason NotSupported Unsupported value: \"Odd\": supported values: \"FieldValue"
     "Duplicate\", \"FieldValueForbidden\", \"FieldValueInvalid\", \"FieldValueRequ"
     "ired\""},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"true\\n || false\"}]}}}]]",
     "%.x-kubernetes-validations[0].message Required Required value: message must b"
     "e specified if rule contains line breaks"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"self +\"}]}}}]]",
     "%.x-kubernetes-validations[0].rule Invalid Invalid value: {\"Rule\":\"self +"
     "\",\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath"
     "\":\"\",\"OptionalOldSelf\":null}: compilation failed: ERROR: <input>:1:7: Sy"
     "ntax error: "},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"self.foo == 1\"}]}}}]]",
     "%.x-kubernetes-validations[0].rule Invalid Invalid value: {\"Rule\":\"self.fo"
     "o == 1\",\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldP"
     "ath\":\"\",\"OptionalOldSelf\":null}: compilation failed: ERROR: <input>:1:5:"
     " type 'string' does not support field selection\n | self.foo == 1\n | ....^"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"1 + 1\"}]}}}]]",
     "%.x-kubernetes-validations[0].rule Invalid Invalid value: {\"Rule\":\"1 + 1"
     "\",\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath"
     "\":\"\",\"OptionalOldSelf\":null}: cel expression must evaluate to a bool"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"self == other\"}]}}}]]",
     "%.x-kubernetes-validations[0].rule Invalid Invalid value: {\"Rule\":\"self =="
     " other\",\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldP"
     "ath\":\"\",\"OptionalOldSelf\":null}: compilation failed: ERROR: <input>:1:9:"
     " undeclared reference to 'other' (in container '')\n | self == other\n | ...."
     "....^"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"properties\":{\"b\":{\"type\":\"string\"}},\"x-kubernetes-validations"
     "\":[{\"rule\":\"self.c == 'x'\"}]}}}]]",
     "%.x-kubernetes-validations[0].rule Invalid Invalid value: {\"Rule\":\"self.c "
     "== 'x'\",\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldP"
     "ath\":\"\",\"OptionalOldSelf\":null}: compilation failed: ERROR: <input>:1:5:"
     " undefined field 'c'\n | self.c == 'x'\n | ....^"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"true\",\"messageExpression"
     "\":\"1\"}]}}}]]",
     "%.x-kubernetes-validations[0].messageExpression Invalid Invalid value: {\"Rul"
     "e\":\"true\",\"Message\":\"\",\"MessageExpression\":\"1\",\"Reason\":null,"
     "\"FieldPath\":\"\",\"OptionalOldSelf\":null}: messageExpression must evaluate"
     " to a string"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"x-kubernetes-validations\":[{\"rule\":\"true\",\"messageExpression"
     "\":\"self +\"}]}}}]]",
     "%.x-kubernetes-validations[0].messageExpression Invalid Invalid value: {\"Rul"
     "e\":\"true\",\"Message\":\"\",\"MessageExpression\":\"self +\",\"Reason\":nul"
     "l,\"FieldPath\":\"\",\"OptionalOldSelf\":null}: messageExpression compilation"
     " failed: ERROR: <input>:1:7: Syntax error: "},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array"
     "\",\"maxItems\":3,\"items\":{\"type\":\"string\",\"maxLength\":5,\"x-kubernet"
     "es-validations\":[{\"rule\":\"self == oldSelf\"}]}}}}]]",
     "%.items.x-kubernetes-validations[0].rule Invalid Invalid value: \"self == old"
     "Self\": oldSelf cannot be used on the uncorrelatable portion of the schema wi"
     "thin @.properties[spec].properties[a]"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string"
     "\",\"maxLength\":5,\"x-kubernetes-validations\":[{\"rule\":\"self == 'x'"
     "\",\"optionalOldSelf\":true}]}}}]]",
     "%.x-kubernetes-validations[0].optionalOldSelf Invalid Invalid value: true: ma"
     "y not be set if oldSelf is not used in rule"},
    {"[[\"/spec\",{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object"
     "\",\"properties\":{\"b\":{\"type\":\"string\"}},\"x-kubernetes-validations"
     "\":[{\"rule\":\"true\",\"fieldPath\":\".b\"},{\"rule\":\"true\",\"fieldPath"
     "\":\"b\"},{\"rule\":\"true\",\"fieldPath\":\".c\"}]}}}]]",
     "%.x-kubernetes-validations[1].fieldPath Invalid Invalid value: \"b\": must be"
     " a valid path\n%.x-kubernetes-validations[2].fieldPath Invalid Invalid value:"
     " \".c\": must be a valid path"},
    {"[[\"/version/subresources\",{\"status\":{}}],[\"/schema\",{\"type\":\"object"
     "\",\"properties\":{\"spec\":{\"type\":\"object\"}},\"oneOf\":[{\"required"
     "\":[\"spec\"]}]}]]",
     "@ Invalid Invalid value: only [Description Type Format Title Maximum Exclusiv"
     "eMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinIte"
     "ms UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPre"
     "serveUnknownFields XValidations] fields are allowed at the root of the schema"
     " if the status subresource is enabled"},
    {"[[\"/spec/group\",\"apps.k8s.io\"],[\"/metadata/name\",\"bars.apps.k8s.io\"]]",
     "metadata.annotations[api-approved.kubernetes.io] Required Required value: pro"
     "tected groups must have approval annotation \"api-approved.kubernetes.io\", s"
     "ee https://github.com/kubernetes/enhancements/pull/1111"},
    {"[[\"/spec/group\",\"apps.k8s.io\"],[\"/metadata/name\",\"bars.apps.k8s.io"
     "\"],[\"/metadata/annotations\",{\"api-approved.kubernetes.io\":\"odd\"}]]",
     "metadata.annotations[api-approved.kubernetes.io] Invalid Invalid value: \"odd"
     "\": protected groups must have approval annotation \"api-approved.kubernetes."
     "io\" with either a URL or a reason starting with \"unapproved\", see https://"
     "github.com/kubernetes/enhancements/pull/1111"},
    {"[[\"/spec/group\",\"apps.k8s.io\"],[\"/metadata/name\",\"bars.apps.k8s.io"
     "\"],[\"/metadata/annotations\",{\"api-approved.kubernetes.io\":\"unapproved"
     "\"}]]",
     "ok"},
    {"[[\"/spec/group\",\"apps.x-k8s.io\"],[\"/metadata/name\",\"bars.apps.x-k8s.io"
     "\"]]",
     "ok"},
    {"[[\"/spec/versions\",[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"sch"
     "ema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"a\":{}}}}},"
     "{\"name\":\"v2\",\"served\":true,\"storage\":false,\"schema\":{\"openAPIV3Sch"
     "ema\":{\"type\":\"object\",\"properties\":{\"a\":{}}}},\"additionalPrinterCol"
     "umns\":[{\"name\":\"a\",\"type\":\"odd\",\"jsonPath\":\".a\"}]}]]]",
     "@.properties[a].type Required Required value: must not be empty for specified"
     " object fields\nspec.versions[1].additionalPrinterColumns[0].type Invalid Inv"
     "alid value: \"odd\": must be one of boolean,date,integer,number,string"},
};

}  // namespace berth::apiserver::testing
