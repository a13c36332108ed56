#include "kube/comparison/thing_values.h"

#include <functional>
#include <string_view>
#include <utility>

#include "kube/comparison/draw.h"

namespace berth::kube {
namespace {

using json::Value;

Value draw_text(Random& random) { return pick(random, {"x", "y", "z"}); }

Value draw_number(Random& random) { return random.between(1, 3); }

// An object of those members that the draw takes.
Value draw_members(
    Random& random, double density,
    std::initializer_list<std::pair<std::string_view, std::function<Value()>>> members) {
  Value object = Value::object();
  for (const auto& [name, draw] : members) {
    if (random.chance(density)) object[name] = draw();
  }
  return object;
}

// Elements with the keys 0 to 3, some of them, in random order.
Value draw_list(Random& random, const std::function<Value(std::int64_t)>& draw) {
  Value list = Value::array();
  for (std::int64_t i = 0; i < 4; ++i) {
    if (!random.chance(0.45)) continue;
    list.insert_at(static_cast<std::size_t>(random.below(list.size() + 1)), draw(i));
  }
  return list;
}

Value draw_ports(Random& random) {
  return draw_list(random, [&](std::int64_t i) {
    Value port = draw_members(random, 0.4,
                              {{"name", [&] { return draw_text(random); }},
                               {"tags", [&] { return draw_texts(random); }}});
    port["port"] = i < 2 ? 80 : 8080;
    if (i % 2 == 1) {
      port["protocol"] = "UDP";
    } else if (random.chance(0.5)) {
      port["protocol"] = "TCP";
    }
    return port;
  });
}

Value draw_group_members(Random& random) {
  return draw_list(random, [&](std::int64_t i) {
    Value member = draw_members(random, 0.5, {{"role", [&] { return draw_text(random); }}});
    member["id"] = i;
    return member;
  });
}

Value draw_groups(Random& random) {
  return draw_list(random, [&](std::int64_t i) {
    Value group = draw_members(random, 0.5,
                               {{"size", [&] { return draw_number(random); }},
                                {"members", [&] { return draw_group_members(random); }}});
    group["name"] = std::string(1, static_cast<char>('a' + i));
    return group;
  });
}

Value draw_numbers(Random& random) {
  return draw_list(random, [](std::int64_t i) { return Value(i * 100 + 7); });
}

Value draw_free(Random& random) {
  return pick_json(
      random, {R"({"a":1})", R"({"a":"x","b":{"c":[1,2]}})", R"({"b":{"c":[2],"d":{}}})",
               R"({"a":{"x":1},"l":[{"name":"q"}]})", R"({"b":"text"})", R"({"b":[1]})", R"({})"});
}

Value draw_pod(Random& random) {
  Value pod = pick_json(random, {R"({"metadata":{"labels":{"a":"x"}}})",
                                 R"({"metadata":{"labels":{"b":"y"},"finalizers":["f.io/x"]}})",
                                 R"({"spec":{"c":[1]}})"});
  pod["apiVersion"] = "v1";
  pod["kind"] = "Pod";
  return pod;
}

Value draw_nested(Random& random) {
  const auto deep = [&] {
    return draw_members(
        random, 0.6,
        {{"c", [&] { return draw_text(random); }}, {"d", [&] { return draw_number(random); }}});
  };
  return draw_members(random, 0.5,
                      {{"a", [&] { return draw_text(random); }},
                       {"b", [&] { return draw_text(random); }},
                       {"deep", deep}});
}

Value draw_text_map(Random& random) {
  const auto text = [&] { return draw_text(random); };
  return draw_members(random, 0.5, {{"k1", text}, {"k2", text}, {"k/3", text}});
}

Value draw_object_map(Random& random) {
  const auto object = [&] {
    return draw_members(
        random, 0.5,
        {{"a", [&] { return draw_text(random); }}, {"list", [&] { return draw_texts(random); }}});
  };
  return draw_members(random, 0.5, {{"o1", object}, {"o2", object}});
}

}  // namespace

Value draw_texts(Random& random) {
  return draw_list(random, [](std::int64_t i) {
    return Value(std::string_view(i == 3 ? "<d>" : i == 2 ? "c \"q\"" : i == 1 ? "b" : "a"));
  });
}

Value draw_spec(Random& random, double density) {
  return draw_members(
      random, density,
      {{"number", [&] { return draw_number(random); }},
       {"real", [&] { return pick_json(random, {"1", "1.5", "0.25"}); }},
       {"text", [&] { return draw_text(random); }},
       {"truth", [&] { return Value(random.chance(0.5)); }},
       {"either", [&] { return pick_json(random, {"80", R"("80")", R"("http")"}); }},
       {"atomic", [&] { return draw_texts(random); }},
       {"set", [&] { return draw_texts(random); }},
       {"numbers", [&] { return draw_numbers(random); }},
       {"ports", [&] { return draw_ports(random); }},
       {"groups", [&] { return draw_groups(random); }},
       {"nested", [&] { return draw_nested(random); }},
       {"whole", [&] { return pick_json(random, {R"({"a":"x"})", R"({"a":"x","b":"y"})"}); }},
       {"texts", [&] { return draw_text_map(random); }},
       {"objects", [&] { return draw_object_map(random); }},
       {"free", [&] { return draw_free(random); }},
       {"pod", [&] { return draw_pod(random); }}});
}

Value draw_status(Random& random, double density) {
  const auto conditions = [&] {
    return draw_list(random, [&](std::int64_t i) {
      Value condition = draw_members(random, 0.6, {{"status", [&] { return draw_text(random); }}});
      condition["type"] = i % 2 == 0 ? "Ready" : "Available";
      if (i >= 2) condition["type"] = i == 2 ? "Old" : "New";
      return condition;
    });
  };
  return draw_members(random, density,
                      {{"phase", [&] { return draw_text(random); }},
                       {"count", [&] { return draw_number(random); }},
                       {"conditions", conditions}});
}

}  // namespace berth::kube
