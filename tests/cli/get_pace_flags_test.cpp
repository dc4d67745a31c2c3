// --pace-by and --adaptive. With a delay that is longer than --max-wait, a second page is left out where both count as
// one site, so nothing has to be waited for.
#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class GetPace : public GetRig {
 protected:
  GetPace() { page("/*", reply("a page")); }
  Ran slow(const Words& words) const {
    Words all{"--delay", "1h", "--max-wait", "1s"};
    for (const std::string host : {"a.one.test", "b.one.test", "c.two.test"}) {
      all.insert(all.end(), {"--resolve", host + ":" + std::to_string(port) + ":127.0.0.1"});
    }
    all.insert(all.end(), words.begin(), words.end());
    return get(all);
  }
};

TEST_F(GetPace, ADelayIsSharedByWhatTheFlagSays) {
  const std::uint16_t second = server.listen();
  const std::string host = url("/1");
  const std::string same_host = url_of(second, "/2", "a.localhost");
  const std::string site = url_of(port, "/1", "a.one.test");
  const std::string same_domain = url_of(port, "/2", "b.one.test");
  const std::string same_address = url_of(port, "/2", "c.two.test");
  const struct {
    Words words;
    int status;
  } cases[] = {{{host, same_host}, 0},
               {{"--pace-by", "host", host, same_host}, 4},
               {{"--pace-by", "host", site, same_domain}, 0},
               {{"--pace-by", "domain", site, same_domain}, 4},
               {{"--pace-by", "domain", site, same_address}, 0},
               {{"--pace-by", "address", site, same_address}, 4}};
  for (const auto& one : cases) {
    server.witness().clear();
    const Ran ran = slow(one.words);
    EXPECT_EQ(ran.status, one.status) << one.words.at(1) << ran.err;
    EXPECT_EQ(asked().size(), one.status == 0 ? 2U : 1U) << one.words.at(1);
  }
  const Ran refused = slow({"--pace-by", "site", host});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--pace-by does not accept \"site\"; give host, domain or address"), std::string::npos)
      << refused.err;
}

TEST_F(GetPace, TheTimeOfAResponseMakesTheNextOneWait) {
  const Words words{"--max-wait", "0", url("/1"), url("/2"), url("/3")};
  EXPECT_EQ(get(words).status, 0);
  Words adaptive = words;
  adaptive.insert(adaptive.begin(), {"--adaptive", "1000"});
  const Ran ran = get(adaptive);
  EXPECT_EQ(ran.status, 4) << ran.err;
  const Ran refused = get({"--adaptive", "-1", url("/1")});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--adaptive does not accept \"-1\"; give a number from 0 to 1000"), std::string::npos)
      << refused.err;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
