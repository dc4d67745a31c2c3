#include "http/curl/curl_transport.hpp"

#include <boost/asio/post.hpp>

#include <sys/epoll.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <new>
#include <utility>

#include "http/curl/easy_transfer.hpp"
#include "http/curl/socket_address.hpp"

namespace robotrules::agent {
namespace {

// libcurl counts the users of its global state. It is never released, because other parts of the program may use it.
void start_libcurl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

CURLM* new_multi() {
  start_libcurl();
  CURLM* multi = curl_multi_init();
  if (multi == nullptr) throw std::bad_alloc();
  return multi;
}

// Returns null for the handle with which libcurl closes connections.
EasyTransfer* transfer_of(CURL* easy) {
  char* known = nullptr;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &known);
  return reinterpret_cast<EasyTransfer*>(known);
}

int epoll_descriptor() {
  const int descriptor = epoll_create1(EPOLL_CLOEXEC);
  if (descriptor < 0) throw std::bad_alloc();  // the process has no descriptors or no memory left
  return descriptor;
}

}  // namespace

CurlTransport::CurlTransport(std::shared_ptr<boost::asio::io_context> context)
    : context_(std::move(context)),
      sockets_(*context_, epoll_descriptor()),
      timer_(*context_),
      look_at_all_(*context_),
      holder_(new_multi()),
      multi_(holder_.get()) {
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlTransport::on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlTransport::on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  // A connection carries one exchange at a time, HTTP/2 too, so a stalled exchange or a server that lies about its
  // version does not delay others.
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
}

CurlTransport::~CurlTransport() {
  alive_.reset();
  for (const auto& [id, transfer] : running_) curl_multi_remove_handle(multi_, transfer->easy());
  running_.clear();
  holder_.reset();  // this calls the callbacks
}

Transport::Id CurlTransport::start(Transfer transfer, TransferHandler& handler) {
  if (!watching_) wait_for_sockets();
  const Id id = ++last_;
  add(std::make_unique<EasyTransfer>(std::move(transfer), handler, id, is_to_sweep(), kept_sockets_));
  return id;
}

void CurlTransport::add(std::unique_ptr<EasyTransfer> made) {
  const Id id = made->id();
  const EasyTransfer& started = *running_.emplace(id, std::move(made)).first->second;
  const bool added = curl_multi_add_handle(multi_, started.easy()) == CURLM_OK;
  if (!added || std::exchange(lost_timer_, false)) {
    if (added) curl_multi_remove_handle(multi_, started.easy());
    running_.erase(id);
    throw std::bad_alloc();
  }
}

void CurlTransport::keep_connections(std::size_t max_connections) noexcept {
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(max_connections));
}

// Returns whether the next transfer sweeps the name cache. Addresses are cached for a minute. A sweep in libcurl 7.88
// walks through the whole cache, which would be most of the work if it is large. So one transfer a second sweeps, and
// every transfer if no sweep has succeeded for five seconds.
bool CurlTransport::is_to_sweep() {
  const auto now = Clock::now();
  if (now - swept_ <= std::chrono::seconds(5) && now - sweep_begun_ <= std::chrono::seconds(1)) return false;
  sweep_begun_ = now;
  return true;
}

void CurlTransport::cancel(Id id) {
  checks_.erase(id);
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  const auto transfer = std::move(found->second);
  running_.erase(found);
  curl_multi_remove_handle(multi_, transfer->easy());
}

void CurlTransport::resume(Id id) {
  const auto found = running_.find(id);
  if (found == running_.end()) return;
  // libcurl hands over the kept bytes at once.
  if (const CURLcode code = found->second->resume(); code != CURLE_OK) end(id, code);
}

int CurlTransport::on_socket(CURL* easy, curl_socket_t socket, int what, void* self, void* known) noexcept {
  auto& transport = *static_cast<CurlTransport*>(self);
  const int epoll = transport.sockets_.native_handle();
  EasyTransfer* const transfer = transfer_of(easy);
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nullptr);
    curl_multi_assign(transport.multi_, socket, nullptr);
    if (transfer != nullptr) transfer->count_socket(-1);
    if (transfer != nullptr && transfer->is_without_socket()) transport.look_at_all_soon();
    return 0;
  }
  if (transfer != nullptr && known == nullptr) transfer->count_socket(1);
  if (transfer != nullptr && (what & CURL_POLL_IN) != 0) transfer->note_read(socket);
  epoll_event event{};
  if ((what & CURL_POLL_IN) != 0) event.events |= EPOLLIN;
  if ((what & CURL_POLL_OUT) != 0) event.events |= EPOLLOUT;
  event.data.fd = socket;
  if (known == nullptr) {
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) != 0 && errno == EEXIST) {
      epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event);
    }
    curl_multi_assign(transport.multi_, socket, self);
  } else {
    epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event);
  }
  return 0;
}

int CurlTransport::on_timer(CURLM*, long milliseconds, void* self) noexcept {
  auto& transport = *static_cast<CurlTransport*>(self);
  try {
    transport.due_ = Clock::time_point::max();
    if (milliseconds < 0) return 0;
    if (milliseconds == 0) {
      transport.look_at_once();
    } else {
      transport.due_ = Clock::now() + std::chrono::milliseconds(milliseconds);
      if (transport.due_ < transport.fires_at_) transport.wait_for_time();
    }
  } catch (const std::exception&) {
    transport.lost_timer_ = true;  // if libcurl got the error here, it would never work again
  }
  return 0;
}

void CurlTransport::look_at_once() {
  if (posted_) return;
  boost::asio::post(*context_, [this, alive = std::weak_ptr<int>(alive_)] {
    if (alive.expired()) return;
    posted_ = false;
    act(CURL_SOCKET_TIMEOUT, 0);
  });
  posted_ = true;
}

// libcurl 7.88 goes on to the next address of a host without a timer and without a socket, so nothing would wake it
// before the time limit.
void CurlTransport::look_at_all_soon() {
  if (std::exchange(will_look_at_all_, true)) return;
  try {
    look_at_all_.expires_after(std::chrono::milliseconds(50));
    look_at_all_.async_wait([this, alive = std::weak_ptr<int>(alive_)](const auto& error) {
      if (alive.expired()) return;
      will_look_at_all_ = false;
      if (!error) look_at_all();
    });
  } catch (const std::exception&) {
    lost_timer_ = true;
  }
}

void CurlTransport::look_at_all() {
  const bool any = std::any_of(running_.begin(), running_.end(),
                               [](const auto& running) { return running.second->is_without_socket(); });
  if (!any) return;
  int running = 0;
  CURL_IGNORE_DEPRECATION(curl_multi_socket_all(multi_, &running);)  // socket_action() does not look at them
  end_finished();
}

// Waits until `due_`. A timer that fires too soon checks the clock and waits again, which is cheaper than to set the
// timer anew each time.
void CurlTransport::wait_for_time() {
  fires_at_ = Clock::time_point::max();
  timer_.expires_at(due_);
  timer_.async_wait([this, alive = std::weak_ptr<int>(alive_)](const auto& error) {
    if (error || alive.expired()) return;
    fires_at_ = Clock::time_point::max();
    if (due_ == Clock::time_point::max()) return;
    if (Clock::now() < due_) return wait_for_time();
    due_ = Clock::time_point::max();
    act(CURL_SOCKET_TIMEOUT, 0);
  });
  fires_at_ = due_;
}

void CurlTransport::wait_for_sockets() {
  sockets_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [this, alive = std::weak_ptr<int>(alive_)](const auto& error) {
                        if (error || alive.expired()) return;
                        watching_ = false;
                        std::array<epoll_event, 256> events;
                        const int count = epoll_wait(sockets_.native_handle(), events.data(), events.size(), 0);
                        for (int i = 0; i < count; ++i) {
                          const epoll_event& event = events[static_cast<std::size_t>(i)];
                          int what = 0;
                          if ((event.events & EPOLLIN) != 0) what |= CURL_CSELECT_IN;
                          if ((event.events & EPOLLOUT) != 0) what |= CURL_CSELECT_OUT;
                          if ((event.events & (EPOLLERR | EPOLLHUP)) != 0) what |= CURL_CSELECT_ERR;
                          act(event.data.fd, what);
                          if (alive.expired()) return;
                        }
                        if (!watching_) wait_for_sockets();
                      });
  watching_ = true;
}

void CurlTransport::act(curl_socket_t socket, int events) {
  int running = 0;
  const CURLMcode code = curl_multi_socket_action(multi_, socket, events, &running);
  const std::weak_ptr<int> alive = alive_;
  end_finished();
  if (alive.expired()) return;
  // There may be a transfer that libcurl could not watch.
  if (std::exchange(lost_timer_, false) || code == CURLM_OUT_OF_MEMORY) throw std::bad_alloc();
}

void CurlTransport::end_finished() {
  const std::weak_ptr<int> alive = alive_;
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    end(transfer_of(message->easy_handle)->id(), code);
    if (alive.expired()) return;
  }
}

void CurlTransport::end(Id id, CURLcode code) {
  const auto found = running_.find(id);
  auto transfer = std::move(found->second);
  running_.erase(found);
  curl_multi_remove_handle(multi_, transfer->easy());
  TransferHandler& handler = transfer->handler();
  if (transfer->needs_new_connection()) return begin_again(std::move(transfer));
  TransferHandler::Done how = transfer->result(code);
  if (code == CURLE_OK && transfer->sweeps()) swept_ = Clock::now();
  const std::string host = code == CURLE_COULDNT_RESOLVE_HOST ? transfer->host() : std::string();
  const AddressFamily family = transfer->family();
  transfer.reset();
  if (!host.empty() && how.error == TransferError::resolve) {
    return check_name(id, handler, std::move(how), host, family);
  }
  handler.done(how);
}

void CurlTransport::begin_again(std::unique_ptr<EasyTransfer> transfer) {
  TransferHandler& handler = transfer->handler();
  try {
    add(std::make_unique<EasyTransfer>(transfer->take_transfer(), handler, transfer->id(), is_to_sweep(), kept_sockets_,
                                       EasyTransfer::Connection::new_one));
  } catch (const std::bad_alloc&) {
    handler.done({TransferError::internal, "there is not enough memory for this request", {}});
  }
}

// Finds out whether the host is unknown before it reports the end of the transfer.
void CurlTransport::check_name(Id id, TransferHandler& handler, TransferHandler::Done how, const std::string& host,
                               AddressFamily family) {
  const auto kept = std::make_shared<TransferHandler::Done>(std::move(how));
  const auto told = [this, id, &handler, kept, host, family](NameAnswer answer) {
    const auto last = checks_.extract(id);
    if (answer == NameAnswer::ours) {
      kept->error = TransferError::internal;
      kept->sentence = "this machine has no memory or no thread to look up the host " + host;
    } else if (answer == NameAnswer::unknown) {
      kept->error = TransferError::unknown_name;
      kept->sentence = "the host " + host + " does not exist or has no " + name_of_address(family);
    }
    handler.done(*kept);
  };
  try {
    auto& check = checks_[id];
    check = std::make_unique<NameCheck>(context_, host, told, name_lookup(family));
  } catch (const std::bad_alloc&) {
    checks_.erase(id);
    handler.done(*kept);
  }
}

}  // namespace robotrules::agent
