// The addresses of sites, for robots that treat all sites at one address as one.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <robotrules/url.hpp>

#include "http/http_engine.hpp"

namespace robotrules::agent {

// Resolves host names and keeps the addresses for a minute. Thread rule: the loop's thread. The engine must outlive it.
class SiteAddresses : public std::enable_shared_from_this<SiteAddresses> {
 public:
  explicit SiteAddresses(Engine& engine) : engine_(engine) {}

  // Calls `found`, perhaps before it returns, with the first four addresses of the host that the guard permits. If the
  // guard permits none, it gets the first address. It gets none if the host has no address or a proxy resolves it.
  using Found = std::function<void(const std::vector<std::string>& addresses)>;
  void find(const Origin& origin, Found found);
  void close() noexcept;

 private:
  void resolved(const std::string& key, const std::vector<std::string>& addresses);
  struct Known {
    std::vector<std::string> addresses;
    std::chrono::microseconds until{0};
  };
  Engine& engine_;
  std::unordered_map<std::string, Known> known_;
  std::unordered_map<std::string, std::vector<Found>> asked_;
};

}  // namespace robotrules::agent
