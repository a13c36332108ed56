#include "client/informer_metrics_service.h"

#include <map>
#include <vector>

namespace berth::client {
namespace {

using LabelMap = std::map<std::string, std::string>;

LabelMap map_of(const InformerMetrics::Labels& labels) {
  return {{"name", labels.resource}, {"host", labels.host}};
}

std::vector<double> list_seconds() {
  return {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
}
std::vector<double> watch_seconds() { return {1, 5, 15, 60, 120, 300, 600, 900}; }
std::vector<double> item_counts() { return {1, 10, 100, 1'000, 10'000, 100'000}; }

double seconds(Duration length) { return std::chrono::duration<double>(length).count(); }

}  // namespace

InformerMetrics::InformerMetrics(env::Metrics& metrics, const Labels& labels)
    : lists_(metrics.counter({.name = "reflector_lists_total",
                              .help = "Lists that were read to the end.",
                              .labels = map_of(labels)})),
      list_duration_(metrics.histogram({.name = "reflector_list_duration_seconds",
                                        .help = "Time from asking for a list to its last page.",
                                        .labels = map_of(labels)},
                                       list_seconds())),
      items_per_list_(metrics.histogram({.name = "reflector_items_per_list",
                                         .help = "Objects in a list.",
                                         .labels = map_of(labels)},
                                        item_counts())),
      watches_(metrics.counter({.name = "reflector_watches_total",
                                .help = "Watches that were asked for.",
                                .labels = map_of(labels)})),
      watch_duration_(metrics.histogram({.name = "reflector_watch_duration_seconds",
                                         .help = "Time from asking for a watch to its end.",
                                         .labels = map_of(labels)},
                                        watch_seconds())),
      items_per_watch_(metrics.histogram({.name = "reflector_items_per_watch",
                                          .help = "Events that a watch brought.",
                                          .labels = map_of(labels)},
                                         item_counts())),
      objects_{metrics.gauge({.name = "berth_informer_objects",
                              .help = "Objects that caches hold.",
                              .labels = map_of(labels)})},
      queued_{metrics.gauge({.name = "berth_informer_handler_queue_depth",
                             .help = "Changes that handlers of caches have not heard of yet.",
                             .labels = map_of(labels)})},
      synced_{metrics.gauge({.name = "berth_informer_synced",
                             .help = "Caches that have held a complete state.",
                             .labels = map_of(labels)})} {}

InformerMetrics::~InformerMetrics() {
  objects_.become(0);
  queued_.become(0);
  synced_.become(0);
}

void InformerMetrics::listed(Duration took, std::size_t items) {
  lists_.increment();
  list_duration_.observe(seconds(took));
  items_per_list_.observe(static_cast<double>(items));
}

void InformerMetrics::watch_ended(Duration took, std::size_t events) {
  watch_duration_.observe(seconds(took));
  items_per_watch_.observe(static_cast<double>(events));
}

}  // namespace berth::client
