#include "servers/redis/redis_problems.hpp"

#include <array>
#include <initializer_list>

#include "base/escape.hpp"

namespace robotrules::store::redis {
namespace {

struct Meaning {
  std::string_view word;  // that the reply begins with, or that it contains
  std::string_view code;
  std::string_view remedy;
};

constexpr std::array beginnings{
    Meaning{"WRONGPASS", "store-refused", "give the user and the password in the name of the store"},
    Meaning{"NOAUTH", "store-refused", "give the user and the password in the name of the store"},
    Meaning{"NOPERM", "store-refused", "give the user the rights that docs/operations.md lists"},
    Meaning{"OOM", "store-full", "raise maxmemory, or prune the store"},
    Meaning{"READONLY", "store-read-only", "give the address of the master"},
    Meaning{"NOREPLICAS", "store-read-only", "it takes no writes until enough replicas are back"},
    Meaning{"MISCONF", "store-read-only", "make room on the server's disk, or see its log"},
    Meaning{"LOADING", "store-unreachable", "it is reading its data; wait"},
    Meaning{"CLUSTERDOWN", "store-unreachable", "a part of the cluster is missing; see CLUSTER INFO"},
    Meaning{"TRYAGAIN", "store-unreachable", "the key is just being moved to another node; wait"},
    Meaning{"MOVED", "store-unreachable", "the key is just being moved to another node; wait"},
    Meaning{"ASK", "store-unreachable", "the key is just being moved to another node; wait"},
    Meaning{"MASTERDOWN", "store-unreachable", "its master is missing; wait"},
    Meaning{"BUSY", "store-unreachable", "another script runs on it for too long; see SLOWLOG"},
    Meaning{"WRONGTYPE", "store-foreign", "give the store a prefix of its own: ?prefix=NAME"},
    Meaning{"CROSSSLOT", "store-io", "report this as a bug"},
};
constexpr std::array contents{
    Meaning{"ROBOTRULES-DAMAGED", "store-damaged", "delete this key; the site then counts as never visited"},
    Meaning{"without any password", "store-refused", "leave the user and the password out of the store's name"},
    Meaning{"invalid password", "store-refused", "give the user and the password in the name of the store"},
    Meaning{"max number of clients", "store-unreachable", "raise maxclients, or wait"},
    Meaning{"unknown command", "store-unsuitable", "use Redis 7 or later, or Valkey"},
    Meaning{"DB index is out of range", "store-name", "give the number of a database that the server has"},
    Meaning{"-READONLY", "store-read-only", "give the address of the master"},
    Meaning{"OOM command not allowed", "store-full", "raise maxmemory, or prune the store"},
    Meaning{"can't be executed by this user", "store-refused",
            "give the user the rights that docs/operations.md lists"},
    Meaning{"No permissions", "store-refused", "give the user the rights that docs/operations.md lists"},
    Meaning{"can't run this command", "store-refused", "give the user the rights that docs/operations.md lists"},
    Meaning{"user executing the script", "store-refused", "give the user the rights that docs/operations.md lists"},
};

}  // namespace

Error unreachable(const std::string& server, std::string_view problem) {
  return {"store-unreachable", "The Redis server " + server + " cannot be reached: " + std::string(problem)};
}

Error problem_of(const Reply& reply, const std::string& server) {
  const auto with = [&](const Meaning& meaning) {
    return Error{meaning.code, "The Redis server " + server + " says \"" + base::excerpt(reply.text) +
                                   "\": " + std::string(meaning.remedy)};
  };
  for (const Meaning& meaning : contents) {
    if (reply.text.find(meaning.word) != std::string::npos) return with(meaning);
  }
  for (const Meaning& meaning : beginnings) {
    if (reply.text.starts_with(meaning.word)) return with(meaning);
  }
  return with({"", "store-io", "see its log"});
}

Error strange_reply(const std::string& server) {
  return {"store-io", "The Redis server " + server +
                          " has answered in a form that this version does not know: see that the address is that of "
                          "a Redis or Valkey server"};
}

}  // namespace robotrules::store::redis
