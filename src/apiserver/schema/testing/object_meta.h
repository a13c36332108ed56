// A small ObjectMeta for tests: enough of its fields to tell known from unknown ones.

#pragma once

#include "apiserver/schema/schema.h"

namespace berth::apiserver::testing {

inline const Schema& object_meta(SchemaSet& nodes) {
  Schema& text = nodes.add();
  text.form = Form::String;
  Schema& time = nodes.add();
  time.form = Form::String;
  time.format = "date-time";
  time.type_name = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";
  Schema& whole = nodes.add();
  whole.form = Form::Integer;
  whole.format = "int64";
  Schema& texts = nodes.add();
  texts.form = Form::Object;
  texts.additional = &text;
  Schema& list = nodes.add();
  list.form = Form::Array;
  list.items = &text;
  Schema& meta = nodes.add();
  meta.form = Form::Object;
  meta.type_name = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
  meta.fields = {
      {.name = "annotations", .schema = &texts}, {.name = "creationTimestamp", .schema = &time},
      {.name = "finalizers", .schema = &list},   {.name = "generateName", .schema = &text},
      {.name = "generation", .schema = &whole},  {.name = "labels", .schema = &texts},
      {.name = "name", .schema = &text},         {.name = "namespace", .schema = &text},
      {.name = "uid", .schema = &text}};
  return meta;
}

}  // namespace berth::apiserver::testing
