// The metrics of a crawl as Prometheus knows them.
#pragma once

#include <prometheus/metric_family.h>

#include <vector>

#include <robotrules/crawl.hpp>

namespace robotrules::cli {

// Reads the counts of the crawl now.
std::vector<prometheus::MetricFamily> crawl_metrics(const Crawl& crawl);

// Returns the metrics that every client library of Prometheus has of its process. Leaves out those that the system does
// not tell.
std::vector<prometheus::MetricFamily> process_metrics();

// Returns a metric without labels.
prometheus::MetricFamily gauge_of(const char* name, const char* help, double value);
prometheus::MetricFamily counter_of(const char* name, const char* help, double value);

}  // namespace robotrules::cli
