#include "support/postgres/postgres_server.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "support/folder.hpp"

namespace robotrules::test {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{30};

// The folder of the newest version that Debian has installed; empty: none.
std::string programs() {
  std::string newest;
  int newest_version = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const std::string bin = entry.path().string() + "/bin";
    const int version = std::atoi(entry.path().filename().c_str());
    if (version <= newest_version || ::access((bin + "/postgres").c_str(), X_OK) != 0) continue;
    newest = bin;
    newest_version = version;
  }
  return newest;
}

struct Account {
  uid_t user = ::getuid();
  gid_t group = ::getgid();
};

// PostgreSQL refuses to run as root.
Account account() {
  if (::geteuid() != 0) return {};
  for (const char* name : {"postgres", "nobody"}) {
    if (const passwd* found = ::getpwnam(name)) return {found->pw_uid, found->pw_gid};
  }
  throw std::runtime_error("there is no unprivileged user for a PostgreSQL server");
}

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Starts a program as the server's user, with its output in a file. It must not outlive a test that crashes.
pid_t launched(std::vector<std::string> words, const std::string& output, int last_signal) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const Account as = account();
  const pid_t parent = ::getpid();
  const int log = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (log < 0) throw std::runtime_error("cannot write " + output);
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setgid(as.group) != 0 || ::setuid(as.user) != 0))
      ::_exit(126);
    if (::prctl(PR_SET_PDEATHSIG, last_signal) != 0 || ::getppid() != parent) ::_exit(126);
    if (::dup2(log, STDOUT_FILENO) < 0 || ::dup2(log, STDERR_FILENO) < 0 || ::chdir("/") != 0) ::_exit(126);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(log);
  if (pid < 0) throw std::runtime_error("cannot fork");
  return pid;
}

int wait_for_end(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string percent_encoded(const std::string& path) {
  std::string out;
  for (const char c : path) c == '/' ? void(out += "%2F") : out.push_back(c);
  return out;
}

}  // namespace

bool PostgresServer::is_installed() { return !programs().empty(); }
uid_t PostgresServer::user() { return account().user; }

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

std::string PostgresServer::new_schema() {
  static std::atomic<int> made{0};
  return "test_" + std::to_string(++made);
}

PostgresServer::PostgresServer(Options options)
    : options_(std::move(options)), folder_(options_.on_disk ? new_folder_on_disk() : new_folder()) {
  const Account as = account();
  if (::chown(folder_.c_str(), as.user, as.group) != 0 && ::geteuid() == 0)
    throw std::runtime_error("cannot give away " + folder_);
  make();
  start();
}

PostgresServer::~PostgresServer() {
  stop(Stop::immediate);
  std::error_code ignored;
  fs::remove_all(folder_ + "/data", ignored);
}

// Made once, because initdb takes longer than a copy.
std::string PostgresServer::empty_cluster() const {
  static const std::string made = [this] {
    static const std::string folder = new_folder();
    const Account as = account();
    if (::geteuid() == 0 && ::chown(folder.c_str(), as.user, as.group) != 0)
      throw std::runtime_error("cannot give away " + folder);
    const std::string data = folder + "/data";
    run("initdb", {"-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"});
    return data;
  }();
  return made;
}

void PostgresServer::make() {
  if (options_.copy_of.empty()) {
    run("/bin/cp", {"-R", empty_cluster(), folder_ + "/data"});
  } else {
    fs::rename(options_.copy_of, folder_ + "/data");
  }
  if (options_.is_standby) file("data/standby.signal", "");
  file("data/pg_hba.conf", options_.access.empty() ? "local all all trust\nhost all all 127.0.0.1/32 trust\n"
                                                     "local replication all trust\n"
                                                   : options_.access);
}

std::string PostgresServer::file(const std::string& name, const std::string& text) const {
  const std::string path = folder_ + "/" + name;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + path);
  const Account as = account();
  if (::chmod(path.c_str(), 0600) != 0 || (::geteuid() == 0 && ::chown(path.c_str(), as.user, as.group) != 0))
    throw std::runtime_error("cannot give away " + path);
  return path;
}

void PostgresServer::start(bool waits) {
  std::vector<std::string> words{programs() + "/postgres", "-D", folder_ + "/data", "-k", folder_};
  const auto set = [&](const std::string& setting) {
    words.push_back("-c");
    words.push_back(setting);
  };
  set("port=" + std::to_string(port()));
  set(options_.listens ? "listen_addresses=127.0.0.1" : "listen_addresses=");
  set("fsync=" + std::string(options_.is_durable ? "on" : "off"));
  set("full_page_writes=" + std::string(options_.is_durable ? "on" : "off"));
  set("shared_buffers=32MB");
  set("logging_collector=off");
  for (const std::string& setting : options_.settings) set(setting);
  pid_ = launched(std::move(words), folder_ + "/log", SIGQUIT);
  if (waits) wait_until_it_answers();
}

void PostgresServer::wait_until_it_answers() {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const std::string uri = "host=" + folder_ + " port=" + std::to_string(port()) + " dbname=postgres user=postgres";
  while (true) {
    const PGPing answer = PQping(uri.c_str());
    if (answer == PQPING_OK) return;
    if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
      pid_ = -1;
      throw std::runtime_error("the PostgreSQL server has ended: " + log());
    }
    if (std::chrono::steady_clock::now() > deadline)
      throw std::runtime_error("the PostgreSQL server does not answer: " + log());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void PostgresServer::stop(Stop how) {
  if (pid_ < 0) return;
  if (how == Stop::killed) {
    // The processes of the server notice that their parent is gone and end; the files stay as they are.
    ::kill(pid_, SIGKILL);
  } else {
    ::kill(pid_, how == Stop::fast ? SIGINT : SIGQUIT);
  }
  wait_for_end(pid_);
  pid_ = -1;
  if (how == Stop::killed) {
    // A new server refuses the folder while a process of the old one lives; its lock file names the old one.
    fs::remove(folder_ + "/data/postmaster.pid");
  }
}

std::string PostgresServer::log() const { return contents(folder_ + "/log"); }

std::string PostgresServer::run(const std::string& program, const std::vector<std::string>& arguments) const {
  std::vector<std::string> words{program.starts_with('/') ? program : programs() + "/" + program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::string output = folder_ + "/output";
  std::error_code ignored;
  fs::remove(output, ignored);
  const int status = wait_for_end(launched(std::move(words), output, SIGTERM));
  if (status != 0) throw std::runtime_error(program + " failed: " + contents(output));
  return contents(output);
}

std::string PostgresServer::backup() const {
  std::string copy = folder_ + "/backup";
  run("pg_basebackup",
      {"-h", folder_, "-p", std::to_string(port()), "-U", "postgres", "-D", copy, "-c", "fast", "--no-sync"});
  return copy;
}

std::unique_ptr<PostgresServer> PostgresServer::standby() const {
  return std::make_unique<PostgresServer>(
      Options{.listens = true,
              .settings = {"primary_conninfo=host=127.0.0.1 user=postgres application_name=standby port=" +
                           std::to_string(port())},
              .copy_of = backup(),
              .is_standby = true});
}

pid_t PostgresServer::launch(const std::vector<std::string>& words) const {
  return launched(words, folder_ + "/output", SIGTERM);
}

void PostgresServer::end(pid_t pid) {
  ::kill(pid, SIGTERM);
  wait_for_end(pid);
}

std::string PostgresServer::uri(const std::string& settings, const std::string& user) const {
  return "postgresql://" + user + "@" + percent_encoded(folder_) + ":" + std::to_string(port()) + "/postgres" +
         (settings.empty() ? "" : "?" + settings);
}

std::string PostgresServer::tcp_uri(const std::string& settings, const std::string& user) const {
  return "postgresql://" + user + "@127.0.0.1:" + std::to_string(port()) + "/postgres" +
         (settings.empty() ? "" : "?" + settings);
}

std::string PostgresServer::query(const std::string& sql) const {
  struct Finish {
    void operator()(PGconn* link) const { PQfinish(link); }
    void operator()(PGresult* result) const { PQclear(result); }
  };
  const std::unique_ptr<PGconn, Finish> link(
      PQconnectdb(("host=" + folder_ + " port=" + std::to_string(port()) + " dbname=postgres user=postgres").c_str()));
  if (PQstatus(link.get()) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(link.get()));
  const std::unique_ptr<PGresult, Finish> result(PQexec(link.get(), sql.c_str()));
  const auto status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) throw std::runtime_error(PQerrorMessage(link.get()));
  return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
}

}  // namespace robotrules::test
