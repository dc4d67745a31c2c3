#include "support/server/real_server.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "support/folder.hpp"
#include "support/loopback_socket.hpp"

namespace robotrules::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_ports = 8;

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool answers(std::uint16_t port) {
  const int made = connect_to(port);
  if (made >= 0) ::close(made);
  return made >= 0;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string program(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (::access(name, X_OK) == 0) return name;
  }
  return "";
}

}  // namespace

struct RealServer::State {
  State() {
    ::chmod(folder.c_str(), 0755);  // a server that root starts has workers of other users
    for (std::size_t number = 0; number < most_ports; ++number) ports.emplace_back();
  }
  ~State() {
    end();
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  std::string filled(std::string text) {
    for (std::size_t number = 0; number < most_ports; ++number) {
      const std::string place = number == 0 ? "{port}" : "{port" + std::to_string(number) + "}";
      if (text.find(place) != std::string::npos) used.push_back(ports[number].port());
      text = replaced(std::move(text), place, std::to_string(ports[number].port()));
    }
    return replaced(std::move(text), "{folder}", folder);
  }

  void write(const std::string& name, std::string_view text) const {
    const fs::path path = fs::path(folder) / name;
    fs::create_directories(path.parent_path());
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    if (!stream.flush()) throw std::runtime_error("cannot write " + path.string());
  }

  void start(std::vector<std::string> words) {
    command = words;
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string output = folder + "/output.log";
    const pid_t parent = ::getpid();
    pid = ::fork();
    if (pid < 0) throw std::runtime_error("cannot fork");
    if (pid == 0) {
      // It must not outlive a test that crashes.
      if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || ::getppid() != parent) ::_exit(126);
      if (::freopen(output.c_str(), "w", stdout) == nullptr || ::dup2(STDOUT_FILENO, STDERR_FILENO) < 0) ::_exit(126);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    wait_until_it_answers();
  }

  void wait_until_it_answers() {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (const std::uint16_t port : used) {
      while (!answers(port)) {
        if (ended()) {
          complaint = "it ended: " + contents(folder + "/output.log") + contents(folder + "/error.log");
          return;
        }
        if (std::chrono::steady_clock::now() > deadline) {
          complaint = "port " + std::to_string(port) + " does not answer: " + contents(folder + "/error.log");
          end();
          return;
        }
        std::this_thread::yield();
      }
    }
  }

  bool ended() {
    if (pid > 0 && ::waitpid(pid, nullptr, WNOHANG) == pid) pid = -1;
    return pid < 0;
  }

  void end() {
    if (pid < 0) return;
    ::kill(pid, end_signal);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid = -1;
  }

  std::string folder = new_folder_on_disk();
  std::vector<LoopbackSocket> ports;
  std::vector<std::uint16_t> used;
  bool installed = true;
  std::string complaint;
  std::vector<std::string> command;
  int end_signal = SIGTERM;
  pid_t pid = -1;
};

RealServer::RealServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
RealServer::RealServer(RealServer&&) noexcept = default;
RealServer::~RealServer() = default;

RealServer RealServer::nginx(const std::string& http, const Files& files) {
  auto state = std::make_unique<State>();
  const std::string path = program({"/usr/sbin/nginx", "/usr/local/sbin/nginx"});
  if (path.empty()) {
    state->installed = false;
    state->complaint = "nginx is not installed";
    return RealServer(std::move(state));
  }
  for (const auto& [name, text] : files) state->write(name, text);
  std::string modules;
  for (const char* name : {"ngx_http_brotli_filter_module", "ngx_http_brotli_static_module"}) {
    const std::string module = std::string("/usr/lib/nginx/modules/") + name + ".so";
    if (fs::exists(module)) modules += "load_module " + module + ";\n";
  }
  std::string temporary;
  for (const char* kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
    temporary += std::string(kind) + "_temp_path {folder}/" + kind + ";\n";
  }
  state->write("nginx.conf", state->filled(modules + (::geteuid() == 0 ? "user root;\n" : "") +
                                           "daemon off;\nworker_processes 1;\npid {folder}/pid;\n"
                                           "error_log {folder}/error.log;\nevents { worker_connections 16384; }\n"
                                           "http {\n" +
                                           temporary +
                                           "log_format timed '$msec $server_port $remote_addr - $remote_user "
                                           "[$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" "
                                           "\"$http_user_agent\"';\n"
                                           "access_log {folder}/access.log timed;\n" +
                                           http + "\n}\n"));
  state->start({path, "-p", state->folder, "-c", state->folder + "/nginx.conf", "-e", state->folder + "/error.log"});
  return RealServer(std::move(state));
}

RealServer RealServer::apache(const std::string& configuration, const Files& files) {
  auto state = std::make_unique<State>();
  const std::string path = program({"/usr/sbin/apache2", "/usr/sbin/httpd"});
  const std::string modules = "/usr/lib/apache2/modules/";
  if (path.empty() || !fs::is_directory(modules)) {
    state->installed = false;
    state->complaint = "Apache httpd is not installed";
    return RealServer(std::move(state));
  }
  for (const auto& [name, text] : files) state->write(name, text);
  std::string loaded;
  for (const char* name : {"mpm_event",  "authz_core",  "authz_host",    "authz_user", "authn_core", "authn_file",
                           "auth_basic", "auth_digest", "mime",          "log_config", "deflate",    "filter",
                           "brotli",     "headers",     "env",           "setenvif",   "expires",    "rewrite",
                           "alias",      "dir",         "socache_shmcb", "ssl",        "http2",      "negotiation"}) {
    const std::string module = modules + "mod_" + name + ".so";
    if (fs::exists(module)) loaded += "LoadModule " + std::string(name) + "_module " + module + "\n";
  }
  state->write("httpd.conf", state->filled(loaded +
                                           "ServerRoot {folder}\nServerName localhost\nPidFile {folder}/pid\n"
                                           "DefaultRuntimeDir {folder}\nErrorLog {folder}/error.log\n"
                                           "Mutex posixsem default\nTypesConfig /dev/null\nAddType text/plain .txt\n"
                                           "AddType text/html .html\n" +
                                           (::geteuid() == 0 ? "User nobody\nGroup nogroup\n" : "") +
                                           "LogFormat \"%{sec}t.%{usec_frac}t %{local}p %h %l %u %t \\\"%r\\\" %>s %O "
                                           "\\\"%{Referer}i\\\" \\\"%{User-Agent}i\\\"\" timed\n"
                                           "CustomLog {folder}/access.log timed\nListen 127.0.0.1:{port}\n" +
                                           configuration + "\n"));
  state->start({path, "-DFOREGROUND", "-d", state->folder, "-f", state->folder + "/httpd.conf"});
  return RealServer(std::move(state));
}

RealServer RealServer::squid(const std::string& hosts, const std::string& configuration) {
  auto state = std::make_unique<State>();
  const std::string path = program({"/usr/sbin/squid"});
  if (path.empty()) {
    state->installed = false;
    state->complaint = "squid is not installed";
    return RealServer(std::move(state));
  }
  ::chmod(state->folder.c_str(), 0777);  // it gives root up
  state->end_signal = SIGKILL;           // else it waits for its clients
  state->write("hosts", hosts);
  state->write(
      "squid.conf",
      state->filled("http_port 127.0.0.1:{port}\nacl all_sites dst all\nhttp_access allow all_sites\ncache deny all\n"
                    "hosts_file {folder}/hosts\npid_filename none\ncache_log {folder}/error.log\n"
                    "access_log stdio:{folder}/access.log\ncoredump_dir {folder}\npinger_enable off\n"
                    "visible_hostname squid.test\nshutdown_lifetime 0 seconds\n" +
                    configuration + "\n"));
  state->start({path, "-N", "-f", state->folder + "/squid.conf"});
  return RealServer(std::move(state));
}

RealServer RealServer::socks() {
  auto state = std::make_unique<State>();
  const std::string path = program({"/usr/bin/microsocks"});
  if (path.empty()) {
    state->installed = false;
    state->complaint = "microsocks is not installed";
    return RealServer(std::move(state));
  }
  state->start({path, "-i", "127.0.0.1", "-p", state->filled("{port}")});
  return RealServer(std::move(state));
}

bool RealServer::running() const { return state_->pid > 0 && state_->complaint.empty(); }
bool RealServer::installed() const { return state_->installed; }
std::string RealServer::why_not() const { return state_->complaint; }
std::uint16_t RealServer::port(std::size_t number) const { return state_->ports.at(number).port(); }
const std::string& RealServer::folder() const { return state_->folder; }
void RealServer::file(const std::string& name, std::string_view text) const { state_->write(name, text); }
std::string RealServer::error_log() const { return contents(state_->folder + "/error.log"); }
void RealServer::end() { state_->end(); }
void RealServer::signal(int number) const { ::kill(state_->pid, number); }

void RealServer::start_again() {
  state_->complaint.clear();
  state_->start(state_->command);
}

std::vector<std::string> RealServer::access_log() const {
  std::vector<std::string> lines;
  std::istringstream stream(contents(state_->folder + "/access.log"));
  for (std::string line; std::getline(stream, line);) {
    if (!stream.eof()) lines.push_back(line);  // without its newline it is not written to its end
  }
  return lines;
}

bool RealServer::wait_for_log(std::size_t lines, Millis limit) const {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (access_log().size() < lines) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace robotrules::test
