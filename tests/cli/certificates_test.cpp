// The command on a machine without certificate authorities.
#include <openssl/x509.h>
#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// A mount namespace of its own, in which the folder of the authorities is empty.
const std::string without_authorities = "unshare -m sh -c 'mount -t tmpfs none /etc/ssl/certs && exec \"$0\" \"$@\"' ";

// The authority of the server is one of the system's, and no part of the file.
TEST(Certificates, TheNamedAuthoritiesReplaceThoseOfTheSystem) {
  ScriptedServer server;
  const std::uint16_t secure = server.listen("127.0.0.1", true);
  server.on("", "/robots.txt", reply(""));
  const TemporaryFolder folder;
  std::array<char, 16> hash{};
  std::snprintf(hash.data(), hash.size(), "%08lx.0", X509_subject_name_hash(server.ca().root().certificate()));
  const std::string in_system = "unshare -m sh -c 'mount -t tmpfs none /etc/ssl/certs && cp " + server.ca_file() +
                                " /etc/ssl/certs/" + hash.data() + " && exec \"$0\" \"$@\"' ";
  if (std::system((in_system + "true 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "only root can replace the certificate authorities of a process (unshare)";
  }
  const std::string other = folder.file("other.pem", TestCa("another CA").pem());
  const std::string url = url_of(secure, "/robots.txt", "127.0.0.1", "https");
  const auto status_with = [&](const std::string& ca_file) {
    return std::system((in_system + command_path() + " lint --allow-address 127.0.0.0/8 --ca-file " + ca_file + " " +
                        url + " >/dev/null 2>&1")
                           .c_str());
  };
  EXPECT_EQ(status_with(server.ca_file()), 0);
  EXPECT_NE(status_with(other), 0);
}

TEST(Certificates, LackOfAuthoritiesIsSaidWithThePackageToInstall) {
  if (std::system((without_authorities + "true 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "only root can hide the certificate authorities from a process (unshare)";
  }
  for (const char* name : {"SSL_CERT_FILE", "SSL_CERT_DIR"}) ::unsetenv(name);
  const TemporaryFolder folder;
  const std::string wrapper =
      folder.file("robotrules", "#!/bin/sh\nexec " + without_authorities + command_path() + " \"$@\"\n");
  ASSERT_EQ(::chmod(wrapper.c_str(), 0700), 0);
  const std::string command = command_path();
  ASSERT_EQ(::setenv("ROBOTRULES_COMMAND", wrapper.c_str(), 1), 0);
  const Ran check = run({"check", "http://127.0.0.1/"});  // an address that is refused
  const Ran get =
      run({"get", "--agent", "FooBot/1.0", "--from", "me@example.org", "--input", folder.file("urls.txt", "")});
  ASSERT_EQ(::setenv("ROBOTRULES_COMMAND", command.c_str(), 1), 0);
  const std::string sentence =
      "warning: there are no certificate authorities for https: /etc/ssl/certs/ca-certificates.crt cannot "
      "be read; install the package ca-certificates\n";
  EXPECT_NE(check.err.find("robotrules check: " + sentence), std::string::npos) << check.err;
  EXPECT_NE(get.err.find("robotrules get: " + sentence), std::string::npos) << get.err;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
