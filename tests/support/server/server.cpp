#include "support/server/server.hpp"

#include <algorithm>
#include <fstream>
#include <future>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include "support/folder.hpp"
#include "support/server/conversation.hpp"

namespace robotrules::test {

// The thread and all that runs on it. What is called from outside is done there, and waited for.
class ScriptedServer::Core {
 public:
  Core(Witness& witness, const TestCa& ca)
      : witness_(witness), ca_(ca), work_(asio::make_work_guard(context_)), thread_([this] { context_.run(); }) {}

  ~Core() {
    there([this] {
      for (const std::shared_ptr<Listener>& listener : listeners_) listener->acceptor.close();
      listeners_.clear();
      held_.clear();
      drop_all();
    });
    work_.reset();
    thread_.join();
  }

  std::uint16_t listen(const ListenOptions& options) {
    return there([&] { return listen_here(options); });
  }

  std::uint16_t refuse(const std::string& address) {
    return there([&] {
      tcp::acceptor& held = held_.emplace_back(context_);  // bound, and never listening
      const tcp::endpoint any(asio::ip::make_address(address), 0);
      held.open(any.protocol());
      held.bind(any);
      return held.local_endpoint().port();
    });
  }

  void stop_listening(std::uint16_t port) {
    there([&] {
      listeners_.remove_if([&](const std::shared_ptr<Listener>& listener) {
        if (listener->acceptor.local_endpoint().port() != port) return false;
        listener->acceptor.close();
        return true;
      });
    });
  }

  void drop_connections() {
    there([this] { drop_all(); });
  }

  void tunnel(const std::string& host_port, const tcp::endpoint& to) {
    there([&] { tunnels_[host_port] = to; });
  }

  Routes& routes() { return routes_; }

 private:
  struct Listener {
    explicit Listener(asio::io_context& context) : acceptor(context) {}
    tcp::acceptor acceptor;
    ListenerSide side;
  };

  // Runs `work` on the server's thread; its result, or what it throws.
  template <typename Work>
  std::invoke_result_t<Work&> there(Work work) {
    using Result = std::invoke_result_t<Work&>;
    const auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
    std::future<Result> result = task->get_future();
    asio::post(context_, [task] { (*task)(); });
    return result.get();
  }

  std::uint16_t listen_here(const ListenOptions& options) {
    const auto listener = std::make_shared<Listener>(context_);
    bind(listener->acceptor, options);
    ListenerSide& side = listener->side;
    side.options = options;
    side.witness = &witness_;
    side.routes = &routes_;
    side.tunnel_to = [this](const std::string& host_port) { return tunnel_to(host_port); };
    if (options.tls) side.tls = std::make_unique<TlsContext>(*options.tls, ca_, options.address);
    listeners_.push_back(listener);
    accept(listener);
    return listener->acceptor.local_endpoint().port();
  }

  // A free port is one that no other listener of ours has, on whatever address: the log tells listeners by their ports.
  void bind(tcp::acceptor& acceptor, const ListenOptions& options) {
    const tcp::endpoint wanted(asio::ip::make_address(options.address), options.port);
    if (!wanted.address().is_loopback()) throw std::invalid_argument(options.address + " is no loopback address");
    for (;;) {
      tcp::acceptor next(context_);
      next.open(wanted.protocol());
      next.set_option(tcp::acceptor::reuse_address(options.port != 0));
      if (options.send_buffer > 0) next.set_option(tcp::acceptor::send_buffer_size(options.send_buffer));  // inherited
      next.bind(wanted);
      const std::uint16_t port = next.local_endpoint().port();
      const bool ours = std::any_of(listeners_.begin(), listeners_.end(), [&](const std::shared_ptr<Listener>& other) {
        return other->acceptor.local_endpoint().port() == port;
      });
      if (ours && options.port == 0) continue;
      next.listen();
      acceptor = std::move(next);
      return;
    }
  }

  void accept(const std::shared_ptr<Listener>& listener) {
    listener->acceptor.async_accept([this, listener](const ErrorCode& error, tcp::socket socket) {
      if (!error) start(std::move(socket), {listener, &listener->side});
      if (listener->acceptor.is_open()) accept(listener);
    });
  }

  void start(tcp::socket socket, std::shared_ptr<const ListenerSide> side) {
    const auto conversation = std::make_shared<Conversation>(std::move(socket), std::move(side));
    open_.emplace(conversation.get(), conversation);
    asio::co_spawn(context_, conversation->run(), [this, conversation](const std::exception_ptr& failed) {
      open_.erase(conversation.get());
      if (failed) conversation->drop();
    });
  }

  void drop_all() {
    for (const auto& [key, conversation] : open_) conversation->drop();
  }

  std::optional<tcp::endpoint> tunnel_to(const std::string& host_port) const {
    const auto told = tunnels_.find(host_port);
    if (told != tunnels_.end()) return told->second;
    for (const std::shared_ptr<Listener>& listener : listeners_) {
      const tcp::endpoint local = listener->acceptor.local_endpoint();
      if (host_port.ends_with(":" + std::to_string(local.port()))) return local;
    }
    return std::nullopt;
  }

  Witness& witness_;
  const TestCa& ca_;
  Routes routes_;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::list<std::shared_ptr<Listener>> listeners_;
  std::list<tcp::acceptor> held_;
  std::map<std::string, tcp::endpoint> tunnels_;
  std::map<Conversation*, std::shared_ptr<Conversation>> open_;
  std::thread thread_;
};

ScriptedServer::ScriptedServer() : ca_file_(new_folder() + "/ca.pem") {
  std::ofstream(ca_file_) << ca_.pem();
  core_ = std::make_unique<Core>(witness_, ca_);
}

ScriptedServer::~ScriptedServer() = default;

std::uint16_t ScriptedServer::open(const ListenOptions& options) { return core_->listen(options); }

std::uint16_t ScriptedServer::listen(const std::string& address, bool tls) {
  ListenOptions options;
  options.address = address;
  if (tls) options.tls.emplace();
  return open(options);
}

std::uint16_t ScriptedServer::refuse(const std::string& address) { return core_->refuse(address); }

void ScriptedServer::stop_listening(std::uint16_t port) { core_->stop_listening(port); }

void ScriptedServer::drop_connections() { core_->drop_connections(); }

void ScriptedServer::on(std::string_view host, std::string_view path, Handler handler) {
  core_->routes().add(host, path, std::move(handler));
}

void ScriptedServer::forget_routes() { core_->routes().clear(); }

void ScriptedServer::tunnel(const std::string& host_port, const std::string& address, std::uint16_t port) {
  core_->tunnel(host_port, {asio::ip::make_address(address), port});
}

std::string url_of(std::uint16_t port, std::string_view path, std::string_view host, std::string_view scheme) {
  return std::string(scheme) + "://" + std::string(host) + ":" + std::to_string(port) + std::string(path);
}

}  // namespace robotrules::test
