// Rules on disk: one object keeps a robots.txt in a file and is gone; a second one, as after a restart, asks the file.
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_rules.hpp>

namespace {

// The database must be in a folder that no other user may write in.
class Folder {
 public:
  Folder() : path_(std::filesystem::current_path() / "example_11_store") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file() const { return (path_ / "robots.db").string(); }

 private:
  std::filesystem::path path_;
};

robotrules::Result<robotrules::RobotRules> open_rules(const std::string& file) {
  auto store = robotrules::open_store(file);
  if (!store) return store.error();
  return robotrules::RobotRules::open(std::move(store).value(), "FooBot/1.0");
}

}  // namespace

int main() {
  const Folder folder;
  {
    auto rules = open_rules(folder.file());
    if (!rules) {
      std::cerr << rules.error().message << '\n';
      return 2;
    }
    const auto kept = rules->parse("https://some.example/robots.txt", "User-agent: *\nDisallow: /private/\n");
    const auto visited = rules->visit("https://some.example");
    if (!kept || !visited) return 2;
  }

  auto rules = open_rules(folder.file());
  if (!rules) return 2;
  for (const std::string url :
       {"https://some.example/", "https://some.example/private/diary", "https://other.example/"}) {
    std::cout << to_string(rules->allowed(url)) << ' ' << url << '\n';
  }
  const auto visits = rules->visits("https://some.example");
  std::cout << "visits: " << (visits ? visits->count : 0) << '\n';
}
