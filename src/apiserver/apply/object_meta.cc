#include "apiserver/apply/object_meta.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace berth::apiserver {
namespace {

Schema scalar(Form form, std::string_view format = {}) {
  return {.form = form, .format = std::string(format)};
}

// Filled once, never changed.
class MetaTypes {
 public:
  MetaTypes() {
    text.form = Form::String;
    const Schema& number = add(scalar(Form::Integer));
    const Schema& truth = add(scalar(Form::Boolean));
    const Schema& time = add(scalar(Form::String, "date-time"));
    const Schema& texts_by_name = add({.form = Form::Object, .additional = &text});
    const Schema& finalizers =
        add({.form = Form::Array, .items = &text, .list_kind = ListKind::Set});
    const Schema& anything = add({});
    const Schema& managed_fields = add({.form = Form::Array, .items = &anything});

    Schema& owner = set_.add();
    owner.form = Form::Object;
    owner.map_kind = MapKind::Atomic;
    owner.fields = {{"apiVersion", &text},  {"blockOwnerDeletion", &truth},
                    {"controller", &truth}, {"kind", &text},
                    {"name", &text},        {"uid", &text}};
    const Schema& owners = add(
        {.form = Form::Array, .items = &owner, .list_kind = ListKind::Map, .list_keys = {"uid"}});

    meta.form = Form::Object;
    meta.type_name = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    meta.fields = {{"annotations", &texts_by_name},
                   {"creationTimestamp", &time},
                   {"deletionGracePeriodSeconds", &number},
                   {"deletionTimestamp", &time},
                   {"finalizers", &finalizers},
                   {"generateName", &text},
                   {"generation", &number},
                   {"labels", &texts_by_name},
                   {"managedFields", &managed_fields},
                   {"name", &text},
                   {"namespace", &text},
                   {"ownerReferences", &owners},
                   {"resourceVersion", &text},
                   {"selfLink", &text},
                   {"uid", &text}};
  }

  Schema text;
  Schema meta;

 private:
  const Schema& add(Schema schema) { return set_.add() = std::move(schema); }

  SchemaSet set_;
};

const MetaTypes& types() {
  static const MetaTypes types;
  return types;
}

}  // namespace

const Schema& object_meta_schema() { return types().meta; }

const Schema& text_schema() { return types().text; }

}  // namespace berth::apiserver
