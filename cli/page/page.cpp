// robotrules page: serves the page on a loopback address until the process is interrupted.
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/system/system_error.hpp>

#include <robotrules/base.hpp>

#include "base/escape.hpp"
#include "cli/flags/given.hpp"
#include "cli/io/terminal.hpp"
#include "cli/page/page_server.hpp"

namespace robotrules::cli {
namespace {

// Returns the folder of the running executable.
Result<std::filesystem::path> command_folder() {
  std::error_code error;
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return Error{"no-page", "cannot find the folder of the command: " + error.message()};
  return executable.parent_path();
}

// Returns the path of the page: share/robotrules/page.html beside the folder of the command, or web/robotrules.html in
// the build folder.
Result<std::filesystem::path> find_page(const std::filesystem::path& command_folder) {
  const std::filesystem::path installed = (command_folder / "../share/robotrules/page.html").lexically_normal();
  const std::filesystem::path built = (command_folder / "../../web/robotrules.html").lexically_normal();
  for (const std::filesystem::path& path : {installed, built}) {
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return path;
  }
  return Error{"no-page", "the page is not installed: " + installed.string() +
                              " does not exist. Build it with \"make page\" in the sources, then run \"make install\""};
}

Result<std::string> read_page(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file || bytes.empty()) return Error{"unreadable", "cannot read " + path.string()};
  return bytes;
}

int serve(const std::filesystem::path& path, std::string page, std::uint16_t port) {
  try {
    boost::asio::io_context loop(1);
    // Before the address is printed: a signal that comes right after it already ends the server as usual.
    boost::asio::signal_set signals(loop, SIGINT, SIGTERM);
    signals.async_wait([&loop](const boost::system::error_code&, int) { loop.stop(); });
    const PageServer server(loop, std::move(page), port);
    write_all(STDOUT_FILENO, server.address() + "\n");
    complain("page", "note: serving " + base::printable(path.string()) + " at this address; Ctrl-C ends it");
    loop.run();
    return exit_yes;
  } catch (const boost::system::system_error& error) {
    return refuse("page", "cannot listen on 127.0.0.1:" + std::to_string(port) + ": " + error.code().message() +
                              "; choose another --port, or leave it out");
  }
}

}  // namespace

int run_page(const Given& given) {
  const auto folder = command_folder();
  if (!folder) return refuse("page", folder.error().message);
  const auto path = find_page(folder.value());
  if (!path) return refuse("page", path.error().message);
  if (given.has("path")) {
    write_all(STDOUT_FILENO, path.value().string() + "\n");
    return exit_yes;
  }
  auto page = read_page(path.value());
  if (!page) return refuse("page", page.error().message);
  return serve(path.value(), std::move(page).value(), static_cast<std::uint16_t>(given.number("port", 0)));
}

}  // namespace robotrules::cli
