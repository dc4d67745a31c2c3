// The settings of a store in Redis, as its name gives them:
//
//   redis://[USER[:PASSWORD]@]HOST[:PORT][/NUMBER][?SETTING=VALUE&...]
//
//   prefix=NAME           the first part of every key (default: robotrules); stores with different ones share a server
//   first_ever=1          there was no store with this prefix before, so no site counts as just visited; for its first
//                         use alone: a server that has lost all its data looks as new
//   max_record_bytes=N    the longest record, compressed (default: 1 MiB)
//   ca=FILE               rediss: the certificates that may sign the server's (default: those of the system)
//   cert=FILE, key=FILE   rediss: the certificate of this client, and its key
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>

#include "servers/server_name.hpp"

namespace robotrules::store::redis {

struct Settings {
  bool tls = false;
  bool cluster = false;
  std::string user;
  std::string password;
  std::vector<std::string> hidden;  // the secrets of the name (ShownStore::hidden)
  std::vector<ServerAddress> addresses;
  std::string database;  // its number; empty: 0
  std::string prefix = "robotrules";
  bool first_ever = false;
  std::size_t max_record_bytes = std::size_t{1} << 20;
  std::string ca;
  std::string certificate;
  std::string key;
};

// Fails with "store-name".
Result<Settings> settings_of(std::string_view name);

}  // namespace robotrules::store::redis
