// What a kube-apiserver v1.35 answered to creating objects of one definition, recorded by hand:
// the causes of its refusals, or what it stored.

#pragma once

#include <string_view>

namespace berth::apiserver::testing {

inline constexpr std::string_view kRecordedSchema = R"json(
{"type":"object","properties":{"status":{"type":"object","properties":{"n":{"type":"integer",
"minimum":1}}},"spec":{"type":"object","x-kubernetes-validations":[{
"rule":"!has(self.n) || self.n < 100","message":"n too big"},{
"rule":"!has(self.m) || self.m.all(k, self.m[k] != 'bad')"}],"properties":{"n":{
"type":"integer","minimum":1,"maximum":1000,"multipleOf":2},"x":{"type":"number","minimum":0.5,
"exclusiveMinimum":true,"maximum":1.5,"exclusiveMaximum":true,"multipleOf":0.25},"i32":{
"type":"integer","format":"int32"},"s":{"type":"string","minLength":2,"maxLength":4,
"pattern":"^[a-z]+$"},"e":{"type":"string","enum":["A","B"]},"en":{"type":"integer",
"enum":[1,2]},"b":{"type":"boolean"},"nul":{"type":"string","nullable":true},"l":{
"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2},"set":{"type":"array",
"x-kubernetes-list-type":"set","items":{"type":"string"}},"ml":{"type":"array",
"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name","port"],"items":{
"type":"object","required":["name"],"properties":{"name":{"type":"string"},"port":{
"type":"integer","default":80},"v":{"type":"string","maxLength":3}}}},"ml1":{"type":"array",
"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object",
"required":["name"],"properties":{"name":{"type":"string"}}}},"m":{"type":"object",
"additionalProperties":{"type":"string","maxLength":5},"maxProperties":2,"minProperties":1},
"req":{"type":"object","required":["b","a"],"properties":{"a":{"type":"string"},"b":{
"type":"string"}}},"t":{"type":"string","format":"date-time"},"u":{"type":"string",
"format":"uuid"},"ip":{"type":"string","format":"ipv4"},"byt":{"type":"string","format":"byte"},
"dur":{"type":"string","format":"duration"},"host":{"type":"string","format":"hostname"},
"mail":{"type":"string","format":"email"},"uri":{"type":"string","format":"uri"},"cidr":{
"type":"string","format":"cidr"},"mac":{"type":"string","format":"mac"},"date":{"type":"string",
"format":"date"},"short":{"type":"string","format":"k8s-short-name"},"ios":{
"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},"any":{
"type":"object","anyOf":[{"required":["p"]},{"required":["q"],"properties":{"q":{
"minLength":3}}}],"properties":{"p":{"type":"string"},"q":{"type":"string"}}},"one":{
"type":"object","oneOf":[{"required":["p"]},{"required":["q"]}],"properties":{"p":{
"type":"string"},"q":{"type":"string"}}},"all":{"type":"string","allOf":[{"minLength":2},{
"pattern":"^a"}]},"no":{"type":"string","not":{"pattern":"^a"}},"keep":{"type":"object",
"x-kubernetes-preserve-unknown-fields":true,"properties":{"known":{"type":"object",
"properties":{"a":{"type":"string"}}}}},"emb":{"type":"object",
"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},"d":{
"type":"object","default":{},"properties":{"a":{"type":"string","default":"x"},"b":{
"type":"array","items":{"type":"object","properties":{"c":{"type":"integer","default":7}}}}}},
"free":{"x-kubernetes-preserve-unknown-fields":true},"true":{"type":"object",
"additionalProperties":true},"rules":{"type":"object","properties":{"msg":{"type":"integer",
"x-kubernetes-validations":[{"rule":"self > 5",
"messageExpression":"'got ' + (self > 3 ? 'some' : 'few')"}]},"reason":{"type":"string",
"x-kubernetes-validations":[{"rule":"self != 'no'","reason":"FieldValueForbidden",
"message":"not no"}]},"path":{"type":"object","properties":{"inner":{"type":"string"}},
"x-kubernetes-validations":[{"rule":"self.inner != 'x'","fieldPath":".inner",
"message":"inner is x","reason":"FieldValueRequired"}]},"dup":{"type":"string",
"x-kubernetes-validations":[{"rule":"self != 'dup'","reason":"FieldValueDuplicate"}]},"div":{
"type":"integer","x-kubernetes-validations":[{"rule":"10 / self > 1"}]},"a-b":{"type":"object",
"properties":{"if":{"type":"string"}},"x-kubernetes-validations":[{
"rule":"self.__if__ != 'x'"}]},"time":{"type":"string","format":"date-time","maxLength":40,
"x-kubernetes-validations":[{"rule":"self > timestamp('2020-01-01T00:00:00Z')"}]},"num":{
"type":"number","x-kubernetes-validations":[{"rule":"self > 1.5 && self < 3"}]},"ios":{
"x-kubernetes-int-or-string":true,"maxLength":20,"x-kubernetes-validations":[{
"rule":"type(self) == int ? self < 5 : self.endsWith('%')"}]},"imm":{"type":"string",
"maxLength":20,"x-kubernetes-validations":[{"rule":"self == oldSelf","message":"immutable"}]},
"opt":{"type":"string","maxLength":20,"x-kubernetes-validations":[{
"rule":"oldSelf.hasValue() || self == 'first'","optionalOldSelf":true}]},"map":{"type":"object",
"maxProperties":5,"additionalProperties":{"type":"integer","x-kubernetes-validations":[{
"rule":"self < 5"}]}},"list":{"type":"array","maxItems":5,"items":{"type":"string",
"maxLength":10,"x-kubernetes-validations":[{"rule":"self.size() < 3"}]},
"x-kubernetes-validations":[{"rule":"self.isSorted()"}]},"cost":{"type":"array","maxItems":10,
"items":{"type":"integer"},"x-kubernetes-validations":[{
"rule":"sets.contains([1,2,3], self)"}]},"q":{"type":"string","maxLength":20,
"x-kubernetes-validations":[{
"rule":"isQuantity(self) && quantity(self).isLessThan(quantity('10Gi'))"}]},"key":{
"type":"object","properties":{"k":{"type":"string"}},"x-kubernetes-validations":[{
"rule":"self.k == 'a'"}]}}}}}}}
)json";

struct RecordedObject {
  std::string_view spec;
  // "=" and what is stored, or the causes as lines, sorted.
  std::string_view outcome;
};

inline constexpr RecordedObject kRecordedObjects[] = {
    {"{}", "={\"d\":{\"a\":\"x\"}}"},
    {"{\"n\":0}",
     "spec.n Invalid Invalid value: 0: spec.n in body should be greater than or equ"
     "al to 1"},
    {"{\"n\":3}", "spec.n Invalid Invalid value: 3: spec.n in body should be a multiple of 2"},
    {"{\"n\":1001}",
     "spec Invalid Invalid value: n too big\nspec.n Invalid Invalid value: 1001: sp"
     "ec.n in body should be a multiple of 2\nspec.n Invalid Invalid value: 1001: s"
     "pec.n in body should be less than or equal to 1000"},
    {"{\"n\":\"3\"}",
     "(rules not checked)\nspec.n TypeInvalid Invalid value: \"string\": spec.n in "
     "body must be of type integer: \"string\""},
    {"{\"n\":2.5}",
     "(rules not checked)\nspec.n Invalid Invalid value: 2.5: spec.n in body should"
     " be a multiple of 2\nspec.n TypeInvalid Invalid value: \"number\": spec.n in "
     "body must be of type integer: \"number\""},
    {"{\"n\":true}",
     "(rules not checked)\nspec.n TypeInvalid Invalid value: \"boolean\": spec.n in"
     " body must be of type integer: \"boolean\""},
    {"{\"n\":[]}",
     "(rules not checked)\nspec.n TypeInvalid Invalid value: \"array\": spec.n in b"
     "ody must be of type integer: \"array\""},
    {"{\"n\":{}}",
     "(rules not checked)\nspec.n TypeInvalid Invalid value: \"object\": spec.n in "
     "body must be of type integer: \"object\""},
    {"{\"n\":null}", "={\"d\":{\"a\":\"x\"}}"},
    {"{\"n\":102}", "spec Invalid Invalid value: n too big"},
    {"{\"n\":9223372036854775808}",
     "(rules not checked)\nspec.n Invalid Invalid value: 9.223372036854776e+18: spe"
     "c.n in body should be a multiple of 2\nspec.n Invalid Invalid value: 9.223372"
     "036854776e+18: spec.n in body should be less than or equal to 1000\nspec.n Ty"
     "peInvalid Invalid value: \"number\": spec.n in body must be of type integer: "
     "\"number\""},
    {"{\"x\":0.5}", "spec.x Invalid Invalid value: 0.5: spec.x in body should be greater than 0.5"},
    {"{\"x\":1.5}", "spec.x Invalid Invalid value: 1.5: spec.x in body should be less than 1.5"},
    {"{\"x\":1.1}",
     "spec.x Invalid Invalid value: 1.1: spec.x in body should be a multiple of 0.2"
     "5"},
    {"{\"x\":\"1\"}",
     "(rules not checked)\nspec.x TypeInvalid Invalid value: \"string\": spec.x in "
     "body must be of type number: \"string\""},
    {"{\"x\":0.75}", "={\"d\":{\"a\":\"x\"},\"x\":0.75}"},
    {"{\"x\":-100000000000000000000000}",
     "spec.x Invalid Invalid value: -1e+23: spec.x in body should be a multiple of "
     "0.25\nspec.x Invalid Invalid value: -1e+23: spec.x in body should be greater "
     "than 0.5"},
    {"{\"i32\":3000000000}", "={\"d\":{\"a\":\"x\"},\"i32\":3000000000}"},
    {"{\"s\":\"a\"}",
     "spec.s Invalid Invalid value: \"a\": spec.s in body should be at least 2 char"
     "s long"},
    {"{\"s\":\"abcde\"}",
     "(rules not checked)\nspec.s TooLong Too long: may not be more than 4 bytes"},
    {"{\"s\":\"AB\"}",
     "spec.s Invalid Invalid value: \"AB\": spec.s in body should match '^[a-z]+$'"},
    {"{\"s\":\"\303\244\303\244\303\244\303\244\"}",
     "spec.s Invalid Invalid value: \"\303\244\303\244\303\244\303\244\": spec.s in"
     " body should match '^[a-z]+$'"},
    {"{\"s\":5}",
     "(rules not checked)\nspec.s TypeInvalid Invalid value: \"integer\": spec.s in"
     " body must be of type string: \"integer\""},
    {"{\"s\":\"a\\\"<\"}",
     "spec.s Invalid Invalid value: \"a\\\"<\": spec.s in body should match '^[a-z]"
     "+$'"},
    {"{\"e\":\"C\"}",
     "(rules not checked)\nspec.e NotSupported Unsupported value: \"C\": supported "
     "values: \"A\", \"B\""},
    {"{\"e\":\"A\"}", "={\"d\":{\"a\":\"x\"},\"e\":\"A\"}"},
    {"{\"e\":3}",
     "(rules not checked)\nspec.e NotSupported Unsupported value: 3: supported valu"
     "es: \"A\", \"B\"\nspec.e TypeInvalid Invalid value: \"integer\": spec.e in bo"
     "dy must be of type string: \"integer\""},
    {"{\"e\":null}", "={\"d\":{\"a\":\"x\"}}"},
    {"{\"en\":3}",
     "(rules not checked)\nspec.en NotSupported Unsupported value: 3: supported val"
     "ues: \"1\", \"2\""},
    {"{\"en\":1.0}", "={\"d\":{\"a\":\"x\"},\"en\":1}"},
    {"{\"b\":\"true\"}",
     "(rules not checked)\nspec.b TypeInvalid Invalid value: \"string\": spec.b in "
     "body must be of type boolean: \"string\""},
    {"{\"b\":0}",
     "(rules not checked)\nspec.b TypeInvalid Invalid value: \"integer\": spec.b in"
     " body must be of type boolean: \"integer\""},
    {"{\"nul\":null}", "={\"d\":{\"a\":\"x\"},\"nul\":null}"},
    {"{\"nul\":3}",
     "(rules not checked)\nspec.nul TypeInvalid Invalid value: \"integer\": spec.nu"
     "l in body must be of type string: \"integer\""},
    {"{\"l\":[]}", "spec.l Invalid Invalid value: 0: spec.l in body should have at least 1 items"},
    {"{\"l\":[\"a\",\"b\",\"c\"]}",
     "(rules not checked)\nspec.l TooMany Too many: 3: must have at most 2 items"},
    {"{\"l\":[\"a\",3]}",
     "(rules not checked)\nspec.l[1] TypeInvalid Invalid value: \"integer\": spec.l"
     "[1] in body must be of type string: \"integer\""},
    {"{\"l\":\"a\"}",
     "(rules not checked)\nspec.l TypeInvalid Invalid value: \"string\": spec.l in "
     "body must be of type array: \"string\""},
    {"{\"l\":[null]}",
     "(rules not checked)\nspec.l[0] TypeInvalid Invalid value: \"null\": spec.l[0]"
     " in body must be of type string: \"null\""},
    {"{\"l\":{\"a\":1}}",
     "(rules not checked)\nspec.l TypeInvalid Invalid value: \"object\": spec.l in "
     "body must be of type array: \"object\""},
    {"{\"set\":[\"a\",\"b\",\"a\",\"a\"]}", "spec.set[2] Duplicate Duplicate value: \"a\""},
    {"{\"set\":[\"a\",\"b\"]}", "={\"d\":{\"a\":\"x\"},\"set\":[\"a\",\"b\"]}"},
    {"{\"ml\":[{\"name\":\"a\"},{\"name\":\"a\",\"port\":80}]}",
     "spec.ml[1] Duplicate Duplicate value: {\"name\":\"a\",\"port\":80}"},
    {"{\"ml\":[{\"name\":\"a\",\"port\":1},{\"name\":\"a\",\"port\":2},{\"name"
     "\":\"a\",\"port\":1}]}",
     "spec.ml[2] Duplicate Duplicate value: {\"name\":\"a\",\"port\":1}"},
    {"{\"ml\":[{\"port\":1}]}", "(rules not checked)\nspec.ml[0].name Required Required value"},
    {"{\"ml\":[{\"name\":\"a\",\"v\":\"long\"}]}",
     "(rules not checked)\nspec.ml[0].v TooLong Too long: may not be more than 3 by"
     "tes"},
    {"{\"ml1\":[{\"name\":\"a\"},{\"name\":\"a\"}]}",
     "spec.ml1[1] Duplicate Duplicate value: {\"name\":\"a\"}"},
    {"{\"ml1\":[\"x\"]}",
     "(rules not checked)\nspec.ml1[0] Invalid Invalid value: \"x\": must be an obj"
     "ect for an array of list-type map\nspec.ml1[0] TypeInvalid Invalid value: "
     "\"string\": spec.ml1[0] in body must be of type object: \"string\""},
    {"{\"m\":{\"a\":\"b\"}}", "={\"d\":{\"a\":\"x\"},\"m\":{\"a\":\"b\"}}"},
    {"{\"m\":{}}",
     "spec.m Invalid Invalid value: 0: spec.m in body should have at least 1 proper"
     "ties"},
    {"{\"m\":{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}}",
     "(rules not checked)\nspec.m TooMany Too many: 3: must have at most 2 items"},
    {"{\"m\":{\"a\":\"toolong\"}}",
     "(rules not checked)\nspec.m.a TooLong Too long: may not be more than 5 bytes"},
    {"{\"m\":{\"a\":3}}",
     "(rules not checked)\nspec.m.a TypeInvalid Invalid value: \"integer\": spec.m."
     "a in body must be of type string: \"integer\""},
    {"{\"m\":{\"a.b/c\":\"toolong\"}}",
     "(rules not checked)\nspec.m.a.b/c TooLong Too long: may not be more than 5 by"
     "tes"},
    {"{\"m\":{\"a\":\"bad\"}}",
     "spec Invalid Invalid value: failed rule: !has(self.m) || self.m.all(k, self.m"
     "[k] != 'bad')"},
    {"{\"m\":{\"bad\":\"b\"}}", "={\"d\":{\"a\":\"x\"},\"m\":{\"bad\":\"b\"}}"},
    {"{\"req\":{}}",
     "(rules not checked)\nspec.req.a Required Required value\nspec.req.b Required "
     "Required value"},
    {"{\"req\":{\"a\":\"x\",\"zz\":1}}", "(rules not checked)\nspec.req.b Required Required value"},
    {"{\"req\":{\"a\":null,\"b\":\"x\"}}",
     "(rules not checked)\nspec.req.a Required Required value"},
    {"{\"t\":\"yesterday\"}",
     "(rules not checked)\nspec.t TypeInvalid Invalid value: \"yesterday\": spec.t "
     "in body must be of type date-time: \"yesterday\""},
    {"{\"t\":\"2026-01-01T00:00:00Z\"}", "={\"d\":{\"a\":\"x\"},\"t\":\"2026-01-01T00:00:00Z\"}"},
    {"{\"t\":5}",
     "(rules not checked)\nspec.t TypeInvalid Invalid value: \"int64\": spec.t in b"
     "ody must be of type date-time: \"int64\""},
    {"{\"t\":true}",
     "(rules not checked)\nspec.t TypeInvalid Invalid value: \"\": spec.t in body m"
     "ust be of type date-time: \"\""},
    {"{\"t\":{}}",
     "(rules not checked)\nspec.t TypeInvalid Invalid value: \"\": spec.t in body m"
     "ust be of type date-time: \"\""},
    {"{\"t\":null}", "={\"d\":{\"a\":\"x\"}}"},
    {"{\"u\":\"x\"}",
     "(rules not checked)\nspec.u TypeInvalid Invalid value: \"x\": spec.u in body "
     "must be of type uuid: \"x\""},
    {"{\"u\":\"123e4567-e89b-12d3-a456-426614174000\"}",
     "={\"d\":{\"a\":\"x\"},\"u\":\"123e4567-e89b-12d3-a456-426614174000\"}"},
    {"{\"ip\":\"1.2.3\"}",
     "(rules not checked)\nspec.ip TypeInvalid Invalid value: \"1.2.3\": spec.ip in"
     " body must be of type ipv4: \"1.2.3\""},
    {"{\"ip\":\"01.2.3.4\"}", "={\"d\":{\"a\":\"x\"},\"ip\":\"01.2.3.4\"}"},
    {"{\"byt\":\"a\"}",
     "(rules not checked)\nspec.byt TypeInvalid Invalid value: \"a\": spec.byt in b"
     "ody must be of type byte: \"a\""},
    {"{\"byt\":\"YQ==\"}", "={\"byt\":\"YQ==\",\"d\":{\"a\":\"x\"}}"},
    {"{\"dur\":\"1x\"}",
     "(rules not checked)\nspec.dur TypeInvalid Invalid value: \"1x\": spec.dur in "
     "body must be of type duration: \"1x\""},
    {"{\"dur\":\"1h\"}", "={\"d\":{\"a\":\"x\"},\"dur\":\"1h\"}"},
    {"{\"dur\":\"3 days\"}", "={\"d\":{\"a\":\"x\"},\"dur\":\"3 days\"}"},
    {"{\"dur\":\"3 lightyears\"}",
     "(rules not checked)\nspec.dur TypeInvalid Invalid value: \"3 lightyears\": sp"
     "ec.dur in body must be of type duration: \"3 lightyears\""},
    {"{\"host\":\"-a\"}",
     "(rules not checked)\nspec.host TypeInvalid Invalid value: \"-a\": spec.host i"
     "n body must be of type hostname: \"-a\""},
    {"{\"host\":\"a.example.com\"}", "={\"d\":{\"a\":\"x\"},\"host\":\"a.example.com\"}"},
    {"{\"host\":\"a_b\"}",
     "(rules not checked)\nspec.host TypeInvalid Invalid value: \"a_b\": spec.host "
     "in body must be of type hostname: \"a_b\""},
    {"{\"mail\":\"x\"}",
     "(rules not checked)\nspec.mail TypeInvalid Invalid value: \"x\": spec.mail in"
     " body must be of type email: \"x\""},
    {"{\"mail\":\"a@b\"}", "={\"d\":{\"a\":\"x\"},\"mail\":\"a@b\"}"},
    {"{\"mail\":\"Jo <a@b.c>\"}", "={\"d\":{\"a\":\"x\"},\"mail\":\"Jo <a@b.c>\"}"},
    {"{\"uri\":\"foo\"}",
     "(rules not checked)\nspec.uri TypeInvalid Invalid value: \"foo\": spec.uri in"
     " body must be of type uri: \"foo\""},
    {"{\"uri\":\"http://a/b\"}", "={\"d\":{\"a\":\"x\"},\"uri\":\"http://a/b\"}"},
    {"{\"uri\":\"/p\"}", "={\"d\":{\"a\":\"x\"},\"uri\":\"/p\"}"},
    {"{\"cidr\":\"10.0.0.0\"}",
     "(rules not checked)\nspec.cidr TypeInvalid Invalid value: \"10.0.0.0\": spec."
     "cidr in body must be of type cidr: \"10.0.0.0\""},
    {"{\"cidr\":\"10.0.0.0/8\"}", "={\"cidr\":\"10.0.0.0/8\",\"d\":{\"a\":\"x\"}}"},
    {"{\"mac\":\"zz\"}",
     "(rules not checked)\nspec.mac TypeInvalid Invalid value: \"zz\": spec.mac in "
     "body must be of type mac: \"zz\""},
    {"{\"mac\":\"01:02:03:04:05:06\"}", "={\"d\":{\"a\":\"x\"},\"mac\":\"01:02:03:04:05:06\"}"},
    {"{\"date\":\"2026-02-30\"}",
     "(rules not checked)\nspec.date TypeInvalid Invalid value: \"2026-02-30\": spe"
     "c.date in body must be of type date: \"2026-02-30\""},
    {"{\"date\":\"2026-02-03\"}", "={\"d\":{\"a\":\"x\"},\"date\":\"2026-02-03\"}"},
    {"{\"short\":\"A\"}",
     "(rules not checked)\nspec.short TypeInvalid Invalid value: \"A\": spec.short "
     "in body must be of type k8s-short-name: \"A\""},
    {"{\"short\":\"a-b\"}", "={\"d\":{\"a\":\"x\"},\"short\":\"a-b\"}"},
    {"{\"ios\":5}", "={\"d\":{\"a\":\"x\"},\"ios\":5}"},
    {"{\"ios\":\"5%\"}", "={\"d\":{\"a\":\"x\"},\"ios\":\"5%\"}"},
    {"{\"ios\":true}",
     "(rules not checked)\n<nil> Invalid Invalid value: \"\": \"spec.ios\" must val"
     "idate at least one schema (anyOf)\nspec.ios TypeInvalid Invalid value: \"bool"
     "ean\": spec.ios in body must be of type integer,string: \"boolean\"\nspec.ios"
     " TypeInvalid Invalid value: \"boolean\": spec.ios in body must be of type int"
     "eger: \"boolean\""},
    {"{\"ios\":1.5}",
     "(rules not checked)\n<nil> Invalid Invalid value: \"\": \"spec.ios\" must val"
     "idate at least one schema (anyOf)\nspec.ios TypeInvalid Invalid value: \"numb"
     "er\": spec.ios in body must be of type integer,string: \"number\"\nspec.ios T"
     "ypeInvalid Invalid value: \"number\": spec.ios in body must be of type intege"
     "r: \"number\""},
    {"{\"ios\":[]}",
     "(rules not checked)\n<nil> Invalid Invalid value: \"\": \"spec.ios\" must val"
     "idate at least one schema (anyOf)\nspec.ios TypeInvalid Invalid value: \"arra"
     "y\": spec.ios in body must be of type integer,string: \"array\"\nspec.ios Typ"
     "eInvalid Invalid value: \"array\": spec.ios in body must be of type integer: "
     "\"array\""},
    {"{\"any\":{}}",
     "(rules not checked)\n<nil> Invalid Invalid value: \"\": \"spec.any\" must val"
     "idate at least one schema (anyOf)\nspec.any.p Required Required value"},
    {"{\"any\":{\"p\":\"1\"}}", "={\"any\":{\"p\":\"1\"},\"d\":{\"a\":\"x\"}}"},
    {"{\"any\":{\"q\":\"ab\"}}",
     "<nil> Invalid Invalid value: \"\": \"spec.any\" must validate at least one sc"
     "hema (anyOf)\nspec.any.q Invalid Invalid value: \"ab\": spec.any.q in body sh"
     "ould be at least 3 chars long"},
    {"{\"any\":{\"q\":\"abc\"}}", "={\"any\":{\"q\":\"abc\"},\"d\":{\"a\":\"x\"}}"},
    {"{\"any\":{\"p\":1}}",
     "(rules not checked)\nspec.any.p TypeInvalid Invalid value: \"integer\": spec."
     "any.p in body must be of type string: \"integer\""},
    {"{\"one\":{}}",
     "(rules not checked)\n<nil> Invalid Invalid value: \"\": \"spec.one\" must val"
     "idate one and only one schema (oneOf). Found none valid\nspec.one.p Required "
     "Required value"},
    {"{\"one\":{\"p\":\"1\"}}", "={\"d\":{\"a\":\"x\"},\"one\":{\"p\":\"1\"}}"},
    {"{\"one\":{\"p\":\"1\",\"q\":\"2\"}}",
     "<nil> Invalid Invalid value: \"\": \"spec.one\" must validate one and only on"
     "e schema (oneOf). Found 2 valid alternatives"},
    {"{\"all\":\"b\"}",
     "<nil> Invalid Invalid value: \"\": \"spec.all\" must validate all the schemas"
     " (allOf). None validated\nspec.all Invalid Invalid value: \"b\": spec.all in "
     "body should be at least 2 chars long\nspec.all Invalid Invalid value: "
     "\"b\": spec.all in body should match '^a'"},
    {"{\"all\":\"bb\"}",
     "<nil> Invalid Invalid value: \"\": \"spec.all\" must validate all the schemas"
     " (allOf)\nspec.all Invalid Invalid value: \"bb\": spec.all in body should mat"
     "ch '^a'"},
    {"{\"all\":\"ab\"}", "={\"all\":\"ab\",\"d\":{\"a\":\"x\"}}"},
    {"{\"all\":\"a\"}",
     "<nil> Invalid Invalid value: \"\": \"spec.all\" must validate all the schemas"
     " (allOf)\nspec.all Invalid Invalid value: \"a\": spec.all in body should be a"
     "t least 2 chars long"},
    {"{\"no\":\"a\"}",
     "<nil> Invalid Invalid value: \"\": \"spec.no\" must not validate the schema ("
     "not)"},
    {"{\"no\":\"b\"}", "={\"d\":{\"a\":\"x\"},\"no\":\"b\"}"},
    {"{\"keep\":{\"z\":{\"y\":1},\"known\":{\"a\":\"1\",\"b\":2}}}",
     "={\"d\":{\"a\":\"x\"},\"keep\":{\"known\":{\"a\":\"1\"},\"z\":{\"y\":1}}}"},
    {"{\"emb\":{}}",
     "(rules not checked)\nspec.emb.apiVersion Required Required value\nspec.emb.ki"
     "nd Required Required value"},
    {"{\"emb\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name"
     "\":\"x\",\"zz\":1},\"spec\":{\"a\":1}}}",
     "={\"d\":{\"a\":\"x\"},\"emb\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metad"
     "ata\":{\"name\":\"x\"},\"spec\":{\"a\":1}}}"},
    {"{\"emb\":{\"apiVersion\":\"\",\"kind\":\"p d\"}}",
     "spec.emb.apiVersion Invalid Invalid value: \"\": must not be empty\nspec.emb."
     "kind Invalid Invalid value: \"p d\": may have mixed case, but should otherwis"
     "e match: a DNS-1035 label must consist of lower case alphanumeric characters "
     "or '-', start with an alphabetic character, and end with an alphanumeric char"
     "acter (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a"
     "-z0-9]*[a-z0-9])?')"},
    {"{\"emb\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a/b"
     "\",\"labels\":{\"x y\":\"z z\"}}}}",
     "spec.emb.metadata.labels Invalid Invalid value: \"x y\": name part must consi"
     "st of alphanumeric characters, '-', '_' or '.', and must start and end with a"
     "n alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex "
     "used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\nspec.emb."
     "metadata.labels Invalid Invalid value: \"z z\": a valid label must be an empt"
     "y string or consist of alphanumeric characters, '-', '_' or '.', and must sta"
     "rt and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  o"
     "r '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-"
     "z0-9])?')\nspec.emb.metadata.name Invalid Invalid value: \"a/b\": may not con"
     "tain '/'"},
    {"{\"d\":{\"b\":[{},{\"c\":1},{\"c\":null}]}}",
     "={\"d\":{\"a\":\"x\",\"b\":[{\"c\":7},{\"c\":1},{\"c\":7}]}}"},
    {"{\"d\":null}", "={\"d\":{\"a\":\"x\"}}"},
    {"{\"d\":{\"a\":null}}", "={\"d\":{\"a\":\"x\"}}"},
    {"{\"free\":{\"a\":[{\"b\":null}]}}", "={\"d\":{\"a\":\"x\"},\"free\":{\"a\":[{\"b\":null}]}}"},
    {"{\"free\":5}", "={\"d\":{\"a\":\"x\"},\"free\":5}"},
    {"{\"true\":{\"a\":1,\"b\":{\"c\":1},\"d\":[{\"e\":1}]}}",
     "={\"d\":{\"a\":\"x\"},\"true\":{\"a\":1,\"b\":{},\"d\":[{}]}}"},
    {"{\"rules\":{\"msg\":5}}", "spec.rules.msg Invalid Invalid value: 5: got some"},
    {"{\"rules\":{\"reason\":\"no\"}}", "spec.rules.reason Forbidden Forbidden: not no"},
    {"{\"rules\":{\"path\":{\"inner\":\"x\"}}}",
     "spec.rules.path.inner Required Required value: inner is x"},
    {"{\"rules\":{\"path\":{}}}",
     "spec.rules.path Invalid Invalid value: \"object\": no such key: inner evaluat"
     "ing rule: inner is x"},
    {"{\"rules\":{\"dup\":\"dup\"}}", "spec.rules.dup Duplicate Duplicate value: \"dup\""},
    {"{\"rules\":{\"div\":0}}",
     "spec.rules.div Invalid Invalid value: \"integer\": division by zero evaluatin"
     "g rule: 10 / self > 1"},
    {"{\"rules\":{\"div\":20}}",
     "spec.rules.div Invalid Invalid value: 20: failed rule: 10 / self > 1"},
    {"{\"rules\":{\"a-b\":{\"if\":\"x\"}}}",
     "spec.rules.a-b Invalid Invalid value: failed rule: self.__if__ != 'x'"},
    {"{\"rules\":{\"a-b\":{\"if\":\"y\"}}}",
     "={\"d\":{\"a\":\"x\"},\"rules\":{\"a-b\":{\"if\":\"y\"}}}"},
    {"{\"rules\":{\"time\":\"2019-01-01T00:00:00Z\"}}",
     "spec.rules.time Invalid Invalid value: \"2019-01-01T00:00:00Z\": failed rule:"
     " self > timestamp('2020-01-01T00:00:00Z')"},
    {"{\"rules\":{\"time\":\"2021-01-01T00:00:00Z\"}}",
     "={\"d\":{\"a\":\"x\"},\"rules\":{\"time\":\"2021-01-01T00:00:00Z\"}}"},
    {"{\"rules\":{\"num\":1}}",
     "spec.rules.num Invalid Invalid value: 1: failed rule: self > 1.5 && self < 3"},
    {"{\"rules\":{\"num\":2}}", "={\"d\":{\"a\":\"x\"},\"rules\":{\"num\":2}}"},
    {"{\"rules\":{\"ios\":9}}",
     "spec.rules.ios Invalid Invalid value: 9: failed rule: type(self) == int ? sel"
     "f < 5 : self.endsWith('%')"},
    {"{\"rules\":{\"ios\":\"9\"}}",
     "spec.rules.ios Invalid Invalid value: \"9\": failed rule: type(self) == int ?"
     " self < 5 : self.endsWith('%')"},
    {"{\"rules\":{\"ios\":\"9%\"}}", "={\"d\":{\"a\":\"x\"},\"rules\":{\"ios\":\"9%\"}}"},
    {"{\"rules\":{\"imm\":\"x\"}}", "={\"d\":{\"a\":\"x\"},\"rules\":{\"imm\":\"x\"}}"},
    {"{\"rules\":{\"opt\":\"x\"}}",
     "spec.rules.opt Invalid Invalid value: \"x\": failed rule: oldSelf.hasValue() "
     "|| self == 'first'"},
    {"{\"rules\":{\"opt\":\"first\"}}", "={\"d\":{\"a\":\"x\"},\"rules\":{\"opt\":\"first\"}}"},
    {"{\"rules\":{\"map\":{\"a\":9,\"b\":1}}}",
     "spec.rules.map[a] Invalid Invalid value: 9: failed rule: self < 5"},
    {"{\"rules\":{\"list\":[\"a\",\"bbb\"]}}",
     "spec.rules.list[1] Invalid Invalid value: \"bbb\": failed rule: self.size() <"
     " 3"},
    {"{\"rules\":{\"list\":[\"b\",\"a\"]}}",
     "spec.rules.list Invalid Invalid value: failed rule: self.isSorted()"},
    {"{\"rules\":{\"cost\":[1,2]}}", "={\"d\":{\"a\":\"x\"},\"rules\":{\"cost\":[1,2]}}"},
    {"{\"rules\":{\"cost\":[5]}}",
     "spec.rules.cost Invalid Invalid value: failed rule: sets.contains([1,2,3], se"
     "lf)"},
    {"{\"rules\":{\"q\":\"11Gi\"}}",
     "spec.rules.q Invalid Invalid value: \"11Gi\": failed rule: isQuantity(self) &"
     "& quantity(self).isLessThan(quantity('10Gi'))"},
    {"{\"rules\":{\"q\":\"1Gi\"}}", "={\"d\":{\"a\":\"x\"},\"rules\":{\"q\":\"1Gi\"}}"},
    {"{\"rules\":{\"key\":{}}}",
     "spec.rules.key Invalid Invalid value: \"object\": no such key: k evaluating r"
     "ule: self.k == 'a'"},
    {"{\"rules\":{\"key\":{\"k\":\"a\"}}}",
     "={\"d\":{\"a\":\"x\"},\"rules\":{\"key\":{\"k\":\"a\"}}}"},
    {"{\"n\":\"x\",\"rules\":{\"msg\":1}}",
     "(rules not checked)\nspec.n TypeInvalid Invalid value: \"string\": spec.n in "
     "body must be of type integer: \"string\""},
    {"{\"n\":3,\"rules\":{\"msg\":1}}",
     "spec.n Invalid Invalid value: 3: spec.n in body should be a multiple of 2"
     "\nspec.rules.msg Invalid Invalid value: 1: got few"},
    {"{\"s\":\"A\",\"e\":\"x\",\"l\":[]}",
     "(rules not checked)\nspec.e NotSupported Unsupported value: \"x\": supported "
     "values: \"A\", \"B\"\nspec.l Invalid Invalid value: 0: spec.l in body should "
     "have at least 1 items\nspec.s Invalid Invalid value: \"A\": spec.s in body sh"
     "ould be at least 2 chars long"},
};

}  // namespace berth::apiserver::testing
