// Tables of objects of every kind, as kube-apiserver prints them and as we do.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "apiserver/tables/cells.h"
#include "apiserver/tables/row_printer.h"
#include "apiserver/tables/table.h"
#include "base/strings.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/objects.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using apiserver::RowPrinter;
using client::ResourcePath;
using json::Value;

constexpr std::string_view kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";

class Tables : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = Server::start();
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }
  static void TearDownTestSuite() { server_.reset(); }

  // The server's table of everything in the collection, with whole objects, and between which times
  // it was made.
  struct Answer {
    Value table;
    Time before;
    Time after;
  };
  Answer table_of(const ResourcePath& collection) {
    client::RestRequest request = client::list_request(collection, {}).value();
    request.accept = kTable;
    client::add_to_query(request, "includeObject", "Object");
    Answer answer;
    answer.before = api_.env().clock.now();
    const auto text = api_.wait<Result<Value>>(
        [&](client::Api& api, auto done) { api.call(request, {}, std::move(done)); });
    answer.after = api_.env().clock.now();
    answer.table = text.value();
    return answer;
  }

  // Every cell must be what we print at one of the two times: ages move on in between.
  void expect_same(const Answer& answer, const RowPrinter& printer) {
    const auto& columns = printer.columns();
    const auto definitions = api::elements_field(answer.table, "columnDefinitions");
    ASSERT_EQ(definitions.size(), columns.size()) << json::print(answer.table);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      EXPECT_EQ(api::text_field(definitions[i], "name"), columns[i].name);
      EXPECT_EQ(api::text_field(definitions[i], "type"), columns[i].type) << columns[i].name;
      EXPECT_EQ(api::text_field(definitions[i], "format"), columns[i].format) << columns[i].name;
      EXPECT_EQ(api::integer_field(definitions[i], "priority"), columns[i].priority)
          << columns[i].name;
    }
    for (const Value& row : api::elements_field(answer.table, "rows")) {
      const Value& object = api::field(row, "object");
      const apiserver::TableRow early = printer.row(object, answer.before);
      const apiserver::TableRow late = printer.row(object, answer.after);
      const auto cells = api::elements_field(row, "cells");
      ASSERT_EQ(cells.size(), early.cells.size());
      for (std::size_t i = 0; i < cells.size(); ++i) {
        EXPECT_TRUE(cells[i] == early.cells[i] || cells[i] == late.cells[i])
            << columns[i].name << ": the server prints " << json::print(cells[i]) << ", we "
            << json::print(early.cells[i]) << " for " << json::print(object);
      }
      EXPECT_EQ(api::field(row, "conditions"), early.conditions) << json::print(object);
    }
  }

  static std::unique_ptr<Server> server_;
  BlockingApi api_{server_->kubeconfig(), {.rate = {.per_second = 0}}};
};
std::unique_ptr<Server> Tables::server_;

TEST_F(Tables, OfBuiltInKindsHaveTheCellsOfKubeApiserver) {
  std::map<std::string, ResourcePath> collections;
  std::map<std::string, RowPrinter> printers;
  for (const char* file : {"core", "pods", "workloads", "network", "storage", "security"}) {
    for (const Value& object : read_served_objects(file, server_->kind())) {
      create_whole(api_, object);
      ResourcePath collection = collection_of(object);
      collection.ns.clear();
      const std::string key = client::path_of(collection).value();
      collections.emplace(key, collection);
      printers.emplace(
          key, RowPrinter::builtin(collection.resource.group, api::text_field(object, "kind")));
    }
  }
  const ResourcePath definitions = {.resource = {.group = "apiextensions.k8s.io",
                                                 .version = "v1",
                                                 .resource = "customresourcedefinitions"}};
  expect_same(table_of(definitions),
              RowPrinter::builtin("apiextensions.k8s.io", "CustomResourceDefinition"));
  EXPECT_GE(collections.size(), server_->kind() == ServerKind::EmbeddedHub ? 25u : 35u);
  for (const auto& [key, collection] : collections) {
    SCOPED_TRACE(key);
    const Answer answer = table_of(collection);
    EXPECT_FALSE(api::elements_field(answer.table, "rows").empty());
    expect_same(answer, printers.at(key));
  }
}

// Enough of JSONPath for the columns of this test.
std::vector<const Value*> find_plain(std::string_view path, const Value& object) {
  const Value* place = &object;
  for (const std::string_view name : split(path.substr(1), '.')) {
    place = place ? place->find(name) : nullptr;
  }
  return place ? std::vector{place} : std::vector<const Value*>{};
}

TEST_F(Tables, OfCustomResourcesHaveTheCellsOfKubeApiserver) {
  const std::vector<Value> objects = read_objects("widgets");
  create_whole(api_, objects.front());
  ASSERT_TRUE(
      wait_until_served(api_, {.group = "example.com", .version = "v1", .resource = "widgets"}));
  for (const Value& widget : std::span(objects).subspan(1)) create_whole(api_, widget);

  std::vector<apiserver::Column> columns;
  const Value& version = apiserver::at(objects.front(), "spec.versions").elements()[0];
  for (const Value& column : api::elements_field(version, "additionalPrinterColumns")) {
    columns.push_back({.name = api::text_field(column, "name"),
                       .type = api::text_field(column, "type"),
                       .format = api::text_field(column, "format"),
                       .priority = api::integer_field(column, "priority").value_or(0),
                       .json_path = api::text_field(column, "jsonPath")});
  }
  const Answer answer = table_of(collection_of(objects.back()));
  EXPECT_EQ(api::elements_field(answer.table, "rows").size(), 4u);
  expect_same(answer, RowPrinter::custom(columns, find_plain));
}

}  // namespace
}  // namespace berth::kube
