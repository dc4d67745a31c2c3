// Names of stores with a password, as they are meant and as people write them by mistake.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::test {

// The pieces of all passwords below, which characters with a meaning in addresses separate.
inline constexpr std::array<std::string_view, 3> password_parts = {"Zq1", "Yw2", "Xv3"};

// `at`: HOST:PORT of a server.
inline std::vector<std::string> store_spellings(const std::string& at) {
  std::vector<std::string> names;
  for (const std::string scheme : {"redis", "rediss", "redis+cluster", "postgresql", "postgres"}) {
    const std::string begin = scheme + "://";
    // In the userinfo: encoded, and with each character that should be.
    for (const std::string password :
         {"Zq1", "Zq1%40Yw2%3AXv3", "Zq1%2FYw2", "Zq1@Yw2", "Zq1:Yw2", "Zq1/Yw2", "Zq1?Yw2", "Zq1#Yw2", "Zq1%Yw2",
          "Zq1 Yw2", "Zq1@Yw2:Xv3", "Zq1/Yw2@Xv3", "12/Zq1", "12?Zq1=Yw2", "12?prefix=Zq1", "12?schema=Zq1"}) {
      names.push_back(begin + "ann:" + password + "@" + at + "/0");
      names.push_back(begin + ":" + password + "@" + at + "/0");
    }
    names.push_back(begin + "ann%3AZq1@" + at + "/0");  // an encoded colon
    names.push_back(begin + "ann:Zq1%40" + at + "/0");  // an encoded "@"
    names.push_back(begin + "ann;Zq1@" + at + "/0");    // another separator
    names.push_back(begin + "ann@Zq1@" + at + "/0");
    names.push_back(begin + "ann:Zq1@/0");  // no host
    names.push_back(begin + "ann:Zq1");
    names.push_back(begin + ":Zq1");
    names.push_back(begin + "ann:Zq1@" + at + "99999/0");  // a wrong port
    names.push_back(begin + "ann:Zq1@h:port/0");
    names.push_back(begin + "ann:Zq1@[::1/0");
    names.push_back(begin + "/ann:Zq1@" + at + "/0");  // a slash too many
    names.push_back(begin + at + "/ann:Zq1@0");
    // As a setting.
    for (const std::string key :
         {"password", "PASSWORD", "Password", "pass%77ord", "passwd", "pwd", " password", "sslpassword"}) {
      names.push_back(begin + at + "/0?" + key + "=Zq1");
      names.push_back(begin + at + "/0?first_ever=1&" + key + "=Zq1%26Yw2");
    }
    names.push_back(begin + at + "/0?password=Zq1@Yw2");
    names.push_back(begin + at + "/0?password=Zq1&Yw2");
    names.push_back(begin + at + "/0?password=Zq1&Yw2=Xv3");
    names.push_back(begin + at + "/0?first_ever=1;password=Zq1");
    names.push_back(begin + at + "/0;password=Zq1");
    names.push_back(begin + at + "/0#Zq1@Yw2");
    // Slips in the scheme.
    names.push_back(scheme + ":/ann:Zq1@" + at + "/0");
    names.push_back(scheme + ":ann:Zq1@" + at + "/0");
    names.push_back(scheme + ":Zq1");
    names.push_back(scheme + ":\\\\ann:Zq1@" + at + "/0");
    names.push_back(scheme + "//ann:Zq1@" + at + "/0");
    names.push_back(scheme + ";//ann:Zq1@" + at + "/0");
    names.push_back(scheme + "%3A%2F%2Fann%3AZq1%40" + at);
    names.push_back(" " + begin + "ann:Zq1@" + at + "/0");
    names.push_back("'" + begin + "ann:Zq1@" + at + "/0'");
    names.push_back("/" + begin + "ann:Zq1@" + at + "/0");
    names.push_back("DATABASE_URL=" + begin + "ann:Zq1@" + at + "/0");
    names.push_back("ann:Zq1@" + begin + at + "/0");
    names.push_back("jdbc:" + begin + at + "/0?user=ann&password=Zq1");
  }
  for (const char* name :
       {"POSTGRESQL://ann:Zq1@h/0", "Redis:/ann:Zq1@h", "valkey://ann:Zq1@h", "postgress://ann:Zq1@h/db"}) {
    names.emplace_back(name);
  }
  names.push_back("ann:Zq1@" + at + "/0");
  names.push_back("ann:Zq1/Yw2@" + at + "/0");
  // Settings of libpq.
  for (const char* name : {"host=h user=ann password=Zq1", "password=Zq1", "user=ann password='Zq1 Yw2' host=h",
                           "host = h password = Zq1", "PASSWORD=Zq1", "dbname=crawl passwd=Zq1", "user=ann;pwd=Zq1"}) {
    names.emplace_back(name);
  }
  return names;
}

}  // namespace robotrules::test
