// Robots that share a store know the same rules and keep the intervals together: after one has visited a site, the
// others wait. On several machines each robot gets the name of a server; the processes of one machine can share a file.
// Without an argument, two robots of this process share a file. The program sends nothing: the rules and the visit are
// given.
//
//   16_shared_robot redis://gate.example:6379/0
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_ua.hpp>

namespace {

// The database must be in a folder that no other user may write in.
class Folder {
 public:
  Folder() : path_(std::filesystem::current_path() / "example_16_shared_robot") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file() const { return (path_ / "robots.db").string(); }

 private:
  std::filesystem::path path_;
};

robotrules::Result<robotrules::RobotUA> make_robot(const std::string& name) {
  auto store = robotrules::open_store(name, {.sqlite = {.first_ever = true}});
  if (!store) return store.error();
  return robotrules::RobotUA::make("FooBot/1.0", "bots@example.org", {.store = std::move(store).value()});
}

}  // namespace

int main(int count, char** words) {
  const Folder folder;
  const std::string name = count > 1 ? words[1] : folder.file();
  auto first = make_robot(name);
  auto second = make_robot(name);
  if (!first || !second) {
    std::cerr << (first ? second : first).error().message << '\n';
    return 2;
  }
  const auto kept = first->rules()->parse("http://shop.example/robots.txt", "User-agent: *\nDisallow: /cart\n");
  const auto visited = first->rules()->visit("http://shop.example");
  const auto visits = second->visits("http://shop.example");
  if (!kept || !visited || !visits) return 2;
  std::cout << "shoes: " << to_string(second->allowed("http://shop.example/shoes")) << '\n';
  std::cout << "cart: " << to_string(second->allowed("http://shop.example/cart")) << '\n';
  std::cout << "visits: " << visits->count << '\n';
}
