// The command on a machine without certificate authorities.
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace robotrules::test {
namespace {

// A mount namespace of its own, in which the folder of the authorities is empty.
const std::string without_authorities = "unshare -m sh -c 'mount -t tmpfs none /etc/ssl/certs && exec \"$0\" \"$@\"' ";

TEST(Certificates, LackOfAuthoritiesIsSaidWithThePackageToInstall) {
  if (std::system((without_authorities + "true 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "only root can hide the certificate authorities from a process (unshare)";
  }
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
}  // namespace robotrules::test
