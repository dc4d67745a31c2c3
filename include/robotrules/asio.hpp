// The agents in coroutines and every other way of Boost.Asio. The one header that needs a third party's: Boost 1.74 or
// later.
//
//     boost::asio::awaitable<void> read_all(robotrules::UserAgent& agent, std::vector<std::string> urls) {
//       robotrules::AsioAgent ua(agent);
//       for (const std::string& url : urls) use(co_await ua.get(url));
//     }
//
// Transfers run on the agent's own thread; the answer comes on the executor of whoever waits for it.
#pragma once

#include <utility>  // before Asio 1.74, which forgets it

#include <boost/version.hpp>

// Boost before 1.76 looks for clang's coroutines where clang no longer has them, and then leaves its own headers for
// them empty. They are told here where to look; if another file of Asio was included before, they are read once more.
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

// What waits for the answer, where any thread finds it. Its executor is kept at work.
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

// UserAgent::start() with a completion token: use_awaitable, use_future, a callback. Signature: void(Response). The
// agent must live until the answer is there. `stop` and, where Boost has them (1.77), Asio's cancellation slots cancel
// it: the response is ResponseSource::cancelled.
template <class Token>
auto async_request(UserAgent& agent, Request request, std::stop_token stop, Token&& token) {
  return boost::asio::async_initiate<Token, void(Response)>(
      [](auto handler, UserAgent* of, Request asked, const std::stop_token& by) {
        asio_detail::begin(*of, std::move(asked), by, std::move(handler));
      },
      token, &agent, std::move(request), std::move(stop));
}

// The same by name, for co_await. With g++ 12 give request() a variable: a Request written in braces inside a co_await
// expression is destroyed twice (GCC bug 99576). Thread rule: as UserAgent's; one may serve many coroutines.
class AsioAgent {
 public:
  explicit AsioAgent(UserAgent& agent) noexcept : agent_(&agent) {}

  boost::asio::awaitable<Response> request(Request request, std::stop_token stop = {}) const {
    return async_request(*agent_, std::move(request), std::move(stop), boost::asio::use_awaitable);
  }
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
