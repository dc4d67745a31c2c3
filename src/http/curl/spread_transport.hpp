// Many connections, spread over several of libcurl's multi handles.
#pragma once

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <memory>
#include <vector>

#include <robotrules/seams/transport.hpp>

#include "http/curl/curl_transport.hpp"

namespace robotrules::agent {

// What libcurl 7.88 does at the end of each transfer goes through all connections and all names of its handle: one
// handle with 10,000 of them has time for some hundred transfers a second, and nothing else. So a handle gets some
// hundred connections, and an origin always the same handle. Where fewer are kept, there is one handle.
class SpreadTransport final : public Transport {
 public:
  explicit SpreadTransport(std::shared_ptr<boost::asio::io_context> context);

  Id start(Transfer transfer, TransferHandler& handler) override;
  void cancel(Id id) override;
  void resume(Id id) override;
  void resolve(const Origin& origin, const ConnectionOptions& connection, Addresses found) override;

 private:
  CurlTransport& part(std::size_t number);
  void forget_parts_beyond(std::size_t count) noexcept;

  std::shared_ptr<boost::asio::io_context> context_;
  std::vector<std::unique_ptr<CurlTransport>> parts_;  // null: not used yet
};

}  // namespace robotrules::agent
