#include "support/server/witness.hpp"

#include <algorithm>
#include <utility>

namespace robotrules::test {
namespace {

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char letter) { return lower(letter); });
  return out;
}

bool same(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char left, char right) { return lower(left) == lower(right); });
}

// What stands behind "http://" in an absolute target; else nothing.
std::optional<std::string_view> behind_scheme(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (scheme == std::string_view::npos || scheme > target.find_first_of("/?")) return std::nullopt;
  return target.substr(scheme + 3);
}

template <typename Some, typename Condition>
std::size_t count_of(const Some& all, Condition holds) {
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), holds));
}

}  // namespace

std::optional<std::string> SeenRequest::header(std::string_view name) const {
  for (const HeaderLine& line : headers) {
    if (same(line.name, name)) return line.value;
  }
  return std::nullopt;
}

std::vector<std::string> SeenRequest::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const HeaderLine& line : headers) {
    if (same(line.name, name)) values.push_back(line.value);
  }
  return values;
}

std::string SeenRequest::host() const {
  if (method == "CONNECT") return lower(target);
  if (const std::optional<std::string_view> rest = behind_scheme(target)) {
    std::string_view authority = rest->substr(0, rest->find_first_of("/?"));
    const std::size_t userinfo = authority.rfind('@');
    if (userinfo != std::string_view::npos) authority.remove_prefix(userinfo + 1);
    return lower(authority);
  }
  return lower(header("Host").value_or(""));
}

std::string SeenRequest::path() const {
  std::string_view rest = target;
  if (const std::optional<std::string_view> absolute = behind_scheme(target)) {
    const std::size_t begin = absolute->find_first_of("/?");
    rest = begin == std::string_view::npos ? "/" : absolute->substr(begin);
  }
  return std::string(rest.substr(0, rest.find('?')));
}

template <typename Condition>
bool Witness::wait(Condition holds, Millis limit) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, limit, holds);
}

std::vector<SeenRequest> Witness::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::vector<SeenRequest> Witness::requests(std::string_view path) const {
  std::vector<SeenRequest> some = requests();
  std::erase_if(some, [&](const SeenRequest& request) { return request.path() != path; });
  return some;
}

std::vector<SeenConnection> Witness::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_;
}

std::size_t Witness::request_count() const {
  const std::lock_guard lock(mutex_);
  return requests_.size();
}

std::size_t Witness::connection_count() const {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

std::size_t Witness::connections_to(std::uint16_t local_port) const {
  const std::lock_guard lock(mutex_);
  return count_of(connections_,
                  [&](const SeenConnection& connection) { return connection.ends.local_port == local_port; });
}

bool Witness::wait_for(std::size_t requests, Millis limit) const {
  return wait([&] { return requests_.size() >= requests; }, limit);
}

bool Witness::wait_for_connections(std::size_t connections, Millis limit) const {
  return wait([&] { return connections_.size() >= connections; }, limit);
}

bool Witness::wait_for_answers(std::size_t answers, Millis limit) const {
  const auto answered = [](const SeenRequest& request) { return request.answered.has_value(); };
  return wait([&] { return count_of(requests_, answered) >= answers; }, limit);
}

bool Witness::wait_for_closed(std::size_t connections, Millis limit) const {
  const auto closed = [](const SeenConnection& connection) { return connection.closed.has_value(); };
  return wait([&] { return count_of(connections_, closed) >= connections; }, limit);
}

void Witness::clear() {
  const std::lock_guard lock(mutex_);
  requests_before_ += requests_.size();
  connections_before_ += connections_.size();
  requests_.clear();
  connections_.clear();
}

std::size_t Witness::add(SeenConnection connection) {
  const std::lock_guard lock(mutex_);
  connection.number = connections_before_ + connections_.size() + 1;
  connections_.push_back(std::move(connection));
  changed_.notify_all();
  return connections_.back().number;
}

std::size_t Witness::add(SeenRequest request) {
  const std::lock_guard lock(mutex_);
  request.number = requests_before_ + requests_.size() + 1;
  requests_.push_back(std::move(request));
  changed_.notify_all();
  return requests_.back().number;
}

void Witness::change(std::size_t connection, const std::function<void(SeenConnection&)>& how) {
  const std::lock_guard lock(mutex_);
  if (connection <= connections_before_) return;
  how(connections_[connection - connections_before_ - 1]);
  changed_.notify_all();
}

void Witness::change_request(std::size_t request, const std::function<void(SeenRequest&)>& how) {
  const std::lock_guard lock(mutex_);
  if (request <= requests_before_) return;
  how(requests_[request - requests_before_ - 1]);
  changed_.notify_all();
}

}  // namespace robotrules::test
