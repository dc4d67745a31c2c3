// AsioAgent: a user agent for coroutines and other completion tokens of Boost.Asio.
//
//     boost::asio::awaitable<void> read_all(robotrules::UserAgent& agent, std::vector<std::string> urls) {
//       robotrules::AsioAgent ua(agent);
//       for (const std::string& url : urls) use(co_await ua.get(url));
//     }
//
// This is the only header that needs a third-party library: Boost 1.74 or later.
// Thread rule: transfers run on the agent's own thread, and the response is delivered on the executor of the caller
// that waits for it. One AsioAgent may serve many coroutines.
// Errors: as for UserAgent: a failure is a synthetic response.
#pragma once

#include <utility>  // Asio before 1.74 needs it but does not include it

#include <boost/version.hpp>

// Boost before 1.76 looks for clang's coroutines in a place where newer versions of clang do not have them, and then
// leaves its coroutine headers empty. These macros tell it the right place. If another file included these headers
// before, they are read again.
#if defined(__clang__) && BOOST_VERSION < 107600
#include <boost/asio/detail/config.hpp>
#if !defined(BOOST_ASIO_HAS_STD_COROUTINE)
#define BOOST_ASIO_HAS_STD_COROUTINE 1
#endif
#if !defined(BOOST_ASIO_HAS_CO_AWAIT)
#define BOOST_ASIO_HAS_CO_AWAIT 1
#undef BOOST_ASIO_AWAITABLE_HPP
#undef BOOST_ASIO_CO_SPAWN_HPP
#undef BOOST_ASIO_USE_AWAITABLE_HPP
#include <boost/asio/co_spawn.hpp>
#endif
#endif

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#if BOOST_VERSION >= 107700
#include <boost/asio/associated_cancellation_slot.hpp>
#endif

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>

#include <robotrules/user_agent.hpp>

namespace robotrules {

namespace asio_detail {

// The completion handler of one request, kept where any thread can reach it. It keeps its executor running.
template <class Handler>
struct Waiting {
  using Executor = boost::asio::associated_executor_t<Handler>;
  explicit Waiting(Handler waiting)
      : handler(std::move(waiting)), work(boost::asio::get_associated_executor(handler)) {}
  Handler handler;
  boost::asio::executor_work_guard<Executor> work;
  std::optional<std::stop_callback<std::function<void()>>> stop;
};

template <class Handler>
void begin(UserAgent& agent, Request request, const std::stop_token& stop, Handler handler) {
  const auto waiting = std::make_shared<Waiting<Handler>>(std::move(handler));
#if BOOST_VERSION >= 107700
  const auto slot = boost::asio::get_associated_cancellation_slot(waiting->handler);
#endif
  const Pending pending = agent.start(std::move(request), [waiting](Response response) {
    const auto executor = waiting->work.get_executor();
    boost::asio::post(executor, [waiting, response = std::move(response)]() mutable {
      auto work = std::move(waiting->work);
      auto last = std::move(waiting->handler);
      std::move(last)(std::move(response));
    });
  });
  if (stop.stop_possible()) waiting->stop.emplace(stop, [pending] { pending.cancel(); });
#if BOOST_VERSION >= 107700
  if (slot.is_connected()) slot.assign([pending](boost::asio::cancellation_type) { pending.cancel(); });
#endif
}

}  // namespace asio_detail

// Starts a request and completes the token (use_awaitable, use_future, a callback) with its response. Signature:
// void(Response). The agent must live until the response arrives. `stop` cancels the request, and from Boost 1.77 on
// Asio's cancellation slots do too: the response is then ResponseSource::cancelled.
template <class Token>
auto async_request(UserAgent& agent, Request request, std::stop_token stop, Token&& token) {
  return boost::asio::async_initiate<Token, void(Response)>(
      [](auto handler, UserAgent* of, Request asked, const std::stop_token& by) {
        asio_detail::begin(*of, std::move(asked), by, std::move(handler));
      },
      token, &agent, std::move(request), std::move(stop));
}

// The same as functions for co_await. With g++ 12, keep the argument of request() in a variable: a Request that is
// written in braces inside a co_await expression is destroyed twice (GCC bug 99576).
// Thread rule: as for UserAgent. The agent must outlive this object and its requests.
class AsioAgent {
 public:
  explicit AsioAgent(UserAgent& agent) noexcept : agent_(&agent) {}

  // Returns the response to `request`.
  boost::asio::awaitable<Response> request(Request request, std::stop_token stop = {}) const {
    return async_request(*agent_, std::move(request), std::move(stop), boost::asio::use_awaitable);
  }
  // Returns the response to a GET of `url`.
  boost::asio::awaitable<Response> get(std::string url, Headers headers = {}, std::stop_token stop = {}) const {
    Request asked;
    asked.url = std::move(url);
    asked.headers = std::move(headers);
    return request(std::move(asked), std::move(stop));
  }

 private:
  UserAgent* agent_;
};

}  // namespace robotrules
