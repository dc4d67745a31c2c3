// Asio as the scripted server uses it. For its own sources alone.
#pragma once

#include <utility>  // which Asio 1.74 forgets

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace robotrules::test {

namespace asio = boost::asio;
using asio::awaitable;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;

}  // namespace robotrules::test
