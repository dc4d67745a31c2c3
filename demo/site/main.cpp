// demo_site serve FOLDER          the sites, until it is told to end (SIGINT, SIGTERM); "ready" when they are there.
//                                 FOLDER/urls.txt and FOLDER/sitemap.txt say what there is, FOLDER/requests.ndjson is
//                                 the log, written at the end
// demo_site check FOLDER SECONDS  judges that log of a robot that was to keep so far from each site; 1: it did not obey
#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include "demo/site/demo_server.hpp"
#include "demo/site/judge.hpp"

namespace robotrules::demo {
namespace {

int serve(const std::string& folder) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // for the server's thread too

  const DemoServer server;
  std::ofstream urls(folder + "/urls.txt");
  for (const std::string& url : server.urls()) urls << url << '\n';
  urls.close();
  std::ofstream sitemap(folder + "/sitemap.txt");
  sitemap << server.sitemap() << '\n';
  sitemap.close();
  if (!urls || !sitemap) throw std::runtime_error(folder + " can't be written in");
  std::cout << "ready\n" << std::flush;

  int signal = 0;
  sigwait(&ends, &signal);
  std::ofstream log(folder + "/requests.ndjson");
  write_log(log, server.asked());
  log.close();
  if (!log) throw std::runtime_error(folder + "/requests.ndjson can't be written");
  return 0;
}

int check(const std::string& folder, const std::string& seconds) {
  std::ifstream log(folder + "/requests.ndjson");
  if (!log) throw std::runtime_error(folder + "/requests.ndjson can't be read");
  const milliseconds delay(static_cast<std::int64_t>(1'000 * std::stod(seconds)));
  const Findings findings = judge(read_log(log), sites(0), delay);
  std::cout << told(findings);
  return findings.good() ? 0 : 1;
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "serve") return serve(words[1]);
  if (words.size() == 3 && words[0] == "check") return check(words[1], words[2]);
  std::cerr << "usage: demo_site serve FOLDER | demo_site check FOLDER SECONDS\n";
  return 2;
}

}  // namespace
}  // namespace robotrules::demo

int main(int count, char** words) {
  try {
    return robotrules::demo::run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::cerr << "demo_site: " << error.what() << '\n';
    return 2;
  }
}
