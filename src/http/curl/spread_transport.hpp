// A transport that spreads many connections over several of libcurl's multi handles.
#pragma once

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <memory>
#include <vector>

#include <robotrules/seams/transport.hpp>

#include "http/curl/curl_transport.hpp"

namespace robotrules::agent {

// At the end of each transfer, libcurl 7.88 walks through all connections and all cached names of its handle. One
// handle with 10,000 of them can do only some hundred transfers a second. So each handle gets some hundred connections,
// and an origin always uses the same handle. If fewer connections are kept, there is one handle.
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
  std::vector<std::unique_ptr<CurlTransport>> parts_;  // null: not yet used
};

}  // namespace robotrules::agent
