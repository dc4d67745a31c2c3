// How every command that fetches connects: --ca-file, --client-cert, --proxy, --resolve, -4 and -6, and the variables
// of the environment. The log of the server says who came, and how.
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// An environment variable, for a scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

class ConnectionFlags : public GetRig {
 protected:
  ConnectionFlags() { page("/*", reply("a page")); }

  std::string secure_url(std::string_view path) {
    if (secure_ == 0) secure_ = server.listen("127.0.0.1", true);
    return url_of(secure_, path, "127.0.0.1", "https");
  }
  std::string plain(std::string_view path, std::string_view host = "127.0.0.1") const {
    return url_of(port, path, host);
  }
  // A command that fetches, with the flags that it needs here.
  static Ran online(Words words) {
    words.insert(words.begin() + 1, {"--allow-address", "127.0.0.0/8", "--allow-address", "::1/128"});
    if (words.front() == "get") words.insert(words.begin() + 1, {"--from", "me@example.org", "--delay", "0"});
    return run(words);
  }
  // A folder as "openssl rehash" leaves it.
  std::string hashed_folder() const {
    std::array<char, 16> name{};
    std::snprintf(name.data(), name.size(), "%08lx.0", X509_subject_name_hash(server.ca().root().certificate()));
    const std::string there = new_folder();
    std::filesystem::copy_file(server.ca_file(), there + "/" + name.data());
    return there;
  }

 private:
  std::uint16_t secure_ = 0;
};

TEST_F(ConnectionFlags, TheFileOfAuthoritiesIsTrustedByEveryCommand) {
  const std::string robots = secure_url("/robots.txt");
  const std::string file = folder.file("robots.txt", "");
  for (const Words& words :
       {Words{"get", secure_url("/x")}, Words{"check", secure_url("/x")}, Words{"lint", robots}, Words{"show", robots},
        Words{"agents", robots}, Words{"diff", file, robots}, Words{"check", "--robots", robots, "/x"}}) {
    EXPECT_NE(online(words).status, 0) << words.front();
    Words trusting = words;
    trusting.insert(trusting.begin() + 1, {"--ca-file", server.ca_file()});
    const Ran ran = online(trusting);
    EXPECT_EQ(ran.status, 0) << words.front() << ran.err;
  }
}

TEST_F(ConnectionFlags, TheVariablesNameTheAuthoritiesUnlessTheFlagDoes) {
  const std::string other = folder.file("other.pem", TestCa("another CA").pem());
  const Words words{"get", secure_url("/x")};
  {
    const Variable file("SSL_CERT_FILE", server.ca_file());
    EXPECT_EQ(online(words).status, 0);
    EXPECT_EQ(online({"lint", secure_url("/robots.txt")}).status, 0);
    EXPECT_EQ(online({"get", "--ca-file", other, secure_url("/x")}).status, 3) << "the flag replaces the variable";
  }
  {
    const Variable path("SSL_CERT_DIR", hashed_folder());
    EXPECT_EQ(online(words).status, 0);
    EXPECT_EQ(online({"get", "--ca-file", other, secure_url("/x")}).status, 3);
  }
  const Variable lost("SSL_CERT_FILE", "/nowhere.pem");
  const Ran ran = online(words);
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(holds(ran.err, "warning: the certificate authorities for https cannot be read from /nowhere.pem"))
      << ran.err;
  const Ran with_flag = online({"get", "--ca-file", server.ca_file(), secure_url("/x")});
  EXPECT_EQ(with_flag.status, 0);
  EXPECT_FALSE(holds(with_flag.err, "nowhere")) << with_flag.err;
}

TEST_F(ConnectionFlags, TheClientsCertificateOpensASite) {
  const std::uint16_t closed = server.open({.tls = test::TlsOptions{.asks_client = true}});
  const std::string there = url_of(closed, "/x", "127.0.0.1", "https");
  const Certificate mine = server.ca().issue({.names = {"client.test"}});
  const std::string certificate = folder.file("mine.pem", mine.pem());
  const std::string key = folder.file("mine.key", mine.key_pem());
  const std::string both = folder.file("both.pem", mine.pem() + mine.key_pem());
  const std::string locked = folder.path() + "/locked.key";
  std::FILE* to = std::fopen(locked.c_str(), "w");
  ASSERT_EQ(PEM_write_PKCS8PrivateKey(to, mine.key(), EVP_aes_256_cbc(), "word", 4, nullptr, nullptr), 1);
  std::fclose(to);

  const Words without{"get", "--tries", "1", "--max-wait", "0", "--ca-file", server.ca_file(), there};
  EXPECT_NE(online(without).status, 0);
  for (const Words& flags :
       {Words{"--client-cert", certificate, "--client-key", key}, Words{"--client-cert", both},
        Words{"--client-cert", certificate, "--client-key", locked, "--client-key-password", "word"}}) {
    server.witness().clear();
    Words words = without;
    words.insert(words.begin() + 1, flags.begin(), flags.end());
    const Ran ran = online(words);
    EXPECT_EQ(ran.status, 0) << ran.err;
    ASSERT_EQ(server.witness().requests("/x").size(), 1U);
    EXPECT_EQ(server.witness().requests("/x")[0].ends.client, "client.test");
  }
  const Variable password("ROBOTRULES_CLIENT_KEY_PASSWORD", "word");
  EXPECT_EQ(online({"get", "--ca-file", server.ca_file(), "--client-cert", certificate, "--client-key", locked, there})
                .status,
            0);
  EXPECT_EQ(online({"lint", "--ca-file", server.ca_file(), "--client-cert", both,
                    url_of(closed, "/robots.txt", "127.0.0.1", "https")})
                .status,
            0);
}

// A database keeps no passwords, so only the password is given again; the certificate is that of the job.
TEST_F(ConnectionFlags, AJobThatGoesOnHasTheCertificateToThePassword) {
  const Certificate mine = server.ca().issue({.names = {"client.test"}});
  const std::string certificate = folder.file("mine.pem", mine.pem());
  const std::string locked = in_folder("locked.key");
  std::FILE* to = std::fopen(locked.c_str(), "w");
  ASSERT_EQ(PEM_write_PKCS8PrivateKey(to, mine.key(), EVP_aes_256_cbc(), "word", 4, nullptr, nullptr), 1);
  std::fclose(to);
  const Words again{"get", "--db", in_folder("c.db"), "--client-key-password", "word"};
  Words words = again;
  words.insert(words.end(), {"--client-cert", certificate, "--client-key", locked, plain("/x")});
  ASSERT_EQ(online(words).status, 0);
  const Ran ran = online(again);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(holds(ran.err, "nothing is to go")) << ran.err;
  const Ran wrong = online({"get", "--db", in_folder("c.db"), "--client-key-password", "another"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(holds(wrong.err, "--client-cert: ")) << wrong.err;
}

TEST_F(ConnectionFlags, AProxyGetsTheRequestsInPlaceOfThatOfTheEnvironment) {
  const std::uint16_t proxy = server.open({.manner = Manner::proxy});
  const std::string where = url_of(proxy, "");
  const Variable dead("http_proxy", url_of(server.refuse(), ""));
  for (const Words& words :
       {Words{"get", plain("/x")}, Words{"lint", plain("/robots.txt")}, Words{"check", plain("/x")}}) {
    Words through = words;
    through.insert(through.begin() + 1, {"--proxy", where});
    server.witness().clear();
    EXPECT_EQ(online(through).status, 0) << words.front();
    EXPECT_GT(server.witness().connections_to(proxy), 0U);
    EXPECT_EQ(server.witness().connections_to(port), 0U);
    Words directly = words;
    directly.insert(directly.begin() + 1, {"-x", "none"});
    server.witness().clear();
    EXPECT_EQ(online(directly).status, 0) << words.front();
    EXPECT_EQ(server.witness().connections_to(proxy), 0U);
  }
  const Variable exempt("no_proxy", "127.0.0.1");
  server.witness().clear();
  EXPECT_EQ(online({"get", "--proxy", where, plain("/x")}).status, 0);
  EXPECT_EQ(server.witness().connections_to(proxy), 0U) << "no_proxy names hosts that need none";
}

// The value may contain a password, so a message names the variable.
TEST_F(ConnectionFlags, AVariableThatIsNotAProxyIsAnErrorBeforeTheFirstRequest) {
  const std::string file = folder.file("robots.txt", "User-agent: *\nDisallow:\n");
  for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
    for (const std::string value :
         {"http://bob:pa55/x@127.0.0.1:9", "http://bob:pa55#x@127.0.0.1:9", "http://bob:pa55 x@127.0.0.1:9",
          "ftp://bob:pa55@127.0.0.1:9", "http://bob:pa55@127.0.0.1:99999", "http://bob:pa55@"}) {
      const Variable bad(name, value);
      for (const Words& words :
           {Words{"get", "--tries", "1", "--max-wait", "0", "--log", folder.path() + "/log", plain("/x")},
            Words{"lint", plain("/robots.txt")}, Words{"check", plain("/x")}}) {
        const Ran ran = online(words);
        EXPECT_EQ(ran.status, 2) << words.front() << ' ' << value;
        EXPECT_TRUE(holds(ran.err, std::string(name) + ": the proxy does not have the form")) << ran.err;
        EXPECT_FALSE(holds(ran.err + ran.out, "pa55")) << ran.err;
      }
      EXPECT_EQ(online({"get", "--proxy", "none", plain("/x")}).status, 0) << "the variable is not used";
      EXPECT_EQ(run({"lint", file}).status, 0) << "nothing is fetched";
    }
  }
  EXPECT_EQ(server.witness().requests("/x").size(), 30U);
  const Variable good("http_proxy", url_of(server.open({.manner = Manner::proxy}), ""));
  const Variable also_good("https_proxy", "proxy:3128");
  const Variable unused("all_proxy", "ftp://bob:pa55@127.0.0.1:9");
  EXPECT_EQ(online({"get", plain("/x")}).status, 0) << "the others come first";
}

TEST_F(ConnectionFlags, AnHttpsPageComesThroughTheTunnelOfTheProxy) {
  const std::uint16_t proxy = server.open({.manner = Manner::proxy});
  const std::string there = secure_url("/x");
  EXPECT_EQ(online({"get", "--proxy", url_of(proxy, ""), "--ca-file", server.ca_file(), there}).status, 0);
  EXPECT_GT(server.witness().connections_to(proxy), 0U);
}

TEST_F(ConnectionFlags, ANameLeadsWhereTheFlagSays) {
  const std::string pair = "a.test:" + std::to_string(port);
  const std::string there = plain("/x", "a.test");
  EXPECT_EQ(online({"get", "--resolve", pair + ":127.0.0.1", there}).status, 0);
  ASSERT_EQ(server.witness().requests("/x").size(), 1U);
  EXPECT_EQ(server.witness().requests("/x")[0].host(), pair);
  EXPECT_EQ(online({"get", "--resolve", "A.test:" + std::to_string(port) + ":[::1],127.0.0.1", "-4", there}).status, 0);
  EXPECT_EQ(online({"check", "--resolve", pair + ":127.0.0.1", there}).status, 0);
  EXPECT_EQ(online({"lint", "--resolve", "b.test:80:192.0.2.1", "--resolve", pair + ":127.0.0.1",
                    plain("/robots.txt", "a.test")})
                .status,
            0);
}

TEST_F(ConnectionFlags, AnAddressOfTheFlagIsGuardedToo) {
  const Ran ran = run({"get", "--from", "me@example.org", "--resolve", "a.test:" + std::to_string(port) + ":127.0.0.1",
                       plain("/x", "a.test")});
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(holds(ran.err, "--allow-address permits it")) << ran.err;
  EXPECT_EQ(server.witness().connection_count(), 0U);
}

TEST_F(ConnectionFlags, OnlyAddressesOfTheWantedFamilyAreConnectedTo) {
  try {
    server.open({.address = "::1", .port = port});
  } catch (const std::exception&) {
    GTEST_SKIP() << "this machine has no IPv6 on loopback";
  }
  const struct {
    Words words;
    std::string address;
  } cases[] = {{{"get", "-4", plain("/x", "localhost")}, "127.0.0.1"},
               {{"get", "--ipv6", plain("/x", "localhost")}, "::1"},
               {{"lint", "-6", plain("/robots.txt", "localhost")}, "::1"},
               {{"check", "--ipv4", plain("/x", "localhost")}, "127.0.0.1"}};
  for (const auto& one : cases) {
    server.witness().clear();
    const Ran ran = online(one.words);
    EXPECT_EQ(ran.status, 0) << ran.err;
    ASSERT_GT(server.witness().connection_count(), 0U);
    for (const SeenConnection& seen : server.witness().connections()) EXPECT_EQ(seen.ends.local_address, one.address);
  }
  const Ran other = online({"get", "-6", plain("/x")});
  EXPECT_EQ(other.status, 3);
  EXPECT_TRUE(holds(other.err, "the host 127.0.0.1 has no IPv6 address")) << other.err;
}

TEST_F(ConnectionFlags, AValueThatCannotBeUsedIsRefusedBeforeTheFirstRequest) {
  const Certificate mine = server.ca().issue({.names = {"client.test"}});
  const std::string certificate = folder.file("mine.pem", mine.pem());
  const std::string other = folder.file("other.key", server.ca().issue({.names = {"client.test"}}).key_pem());
  const std::string bad_resolve = "; give HOST:PORT:ADDRESS";
  const struct {
    Words flags;
    std::string sentence;
  } cases[] = {
      {{"--ca-file", "/nowhere"}, "--ca-file: the certificate authorities for https cannot be read from /nowhere"},
      {{"--client-cert", "/nowhere"}, "--client-cert: the client's certificate cannot be read from /nowhere"},
      {{"--client-cert", certificate}, "--client-cert: the private key of the client's certificate cannot be read"},
      {{"--client-cert", certificate, "--client-key", other}, "does not belong to the certificate"},
      {{"--client-key", other}, "--client-key belongs to a certificate: give --client-cert too"},
      {{"--client-key-password", "s3cret"}, "--client-key-password belongs to a certificate: give --client-cert too"},
      {{"--proxy", "ftp://me:s3cret@proxy"}, "--proxy does not accept this value; give URL|none"},
      {{"--proxy", "http://"}, "--proxy does not accept this value"},
      {{"--proxy", "me:s3c/ret@proxy:x"}, "--proxy does not accept this value"},
      {{"--resolve", "a.test"}, "--resolve does not accept \"a.test\"" + bad_resolve},
      {{"--resolve", "a.test:80"}, "--resolve does not accept \"a.test:80\"" + bad_resolve},
      {{"--resolve", "a.test:80:"}, "--resolve does not accept \"a.test:80:\"" + bad_resolve},
      {{"--resolve", "a.test::127.0.0.1"}, "--resolve does not accept \"a.test::127.0.0.1\"" + bad_resolve},
      {{"--resolve", "a.test:0:127.0.0.1"}, "--resolve does not accept \"a.test:0:127.0.0.1\"" + bad_resolve},
      {{"--resolve", ":80:127.0.0.1"}, "--resolve does not accept \":80:127.0.0.1\"" + bad_resolve},
      {{"--resolve", "a.test:80:b.test"}, "--resolve does not accept \"a.test:80:b.test\"" + bad_resolve},
      {{"--resolve", "a.test:80:1.2.3.4,"}, "--resolve does not accept \"a.test:80:1.2.3.4,\"" + bad_resolve},
      {{"-4", "-6"}, "--ipv4 and --ipv6 exclude each other; give one"},
  };
  for (const auto& one : cases) {
    for (Words words : {Words{"get", plain("/x")}, Words{"check", plain("/x")}, Words{"show", plain("/robots.txt")}}) {
      words.insert(words.begin() + 1, one.flags.begin(), one.flags.end());
      const Ran ran = online(words);
      EXPECT_EQ(ran.status, 2) << words.front() << ' ' << one.flags.front();
      EXPECT_TRUE(holds(ran.err, one.sentence)) << ran.err;
      EXPECT_FALSE(holds(ran.err, "s3c")) << ran.err;
    }
  }
  EXPECT_EQ(server.witness().connection_count(), 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
