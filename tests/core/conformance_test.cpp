// The conformance cases of the project, and larger sets of other implementations' answers where a machine has them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <robotrules/robots_txt.hpp>

#include "core/engine_answer.hpp"
#include "core/random_file.hpp"
#include "core/semantics_rows.hpp"
#include "support/test_data.hpp"

namespace robotrules {
namespace {

constexpr std::string_view robots_url = "http://foo.bar/robots.txt";
constexpr std::string_view heading = "# dialect\tagent\turl\taccess\tline\trobots\tprovenance\n";

struct Case {
  std::string dialect, agent, url, access, line, robots, provenance;
};

std::string escaped(std::string_view bytes) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : bytes) {
    const auto octet = static_cast<unsigned char>(c);
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\\': out += "\\\\"; break;
      default:
        if (octet < 0x20 || octet >= 0x7F) {
          out += {'\\', 'x', digits[octet >> 4], digits[octet & 15]};
        } else {
          out += c;
        }
    }
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char kind = text.at(++i);
    if (kind == 'x') {
      out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      out += kind == 'n' ? '\n' : kind == 'r' ? '\r' : kind == 't' ? '\t' : kind;
    }
  }
  return out;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out;
  std::size_t from = 0;
  while (true) {
    const std::size_t tab = line.find('\t', from);
    out.push_back(line.substr(from, tab == std::string::npos ? tab : tab - from));
    if (tab == std::string::npos) return out;
    from = tab + 1;
  }
}

std::string written(const Case& c) {
  return c.dialect + '\t' + escaped(c.agent) + '\t' + escaped(c.url) + '\t' + c.access + '\t' + c.line + '\t' +
         escaped(c.robots) + '\t' + c.provenance + '\n';
}

std::filesystem::path folder() { return test::source_folder() / "tests" / "conformance"; }

std::vector<Case> cases_of(const std::filesystem::path& path) {
  std::vector<Case> cases;
  std::ifstream stream(path, std::ios::binary);
  std::string line;
  while (std::getline(stream, line)) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> f = fields(line);
    if (f.size() != 7) {
      ADD_FAILURE() << path << ": " << f.size() << " fields in '" << line << "'";
      continue;
    }
    cases.push_back({f[0], unescaped(f[1]), unescaped(f[2]), f[3], f[4], unescaped(f[5]), f[6]});
  }
  return cases;
}

void run(const Case& c) {
  const Dialect* dialect = Dialect::find(c.dialect);
  ASSERT_NE(dialect, nullptr) << written(c);
  const test::ExactBlock robots(c.robots);
  const Rules compiled = Rules::compile(robots.view(), c.agent, *dialect, robots_url);
  const Rules parsed = RobotsTxt::parse(robots.view(), *dialect, robots_url).rules_for(c.agent);
  const oracle::Answer naive = oracle::ask(c.robots, c.agent, c.url, *dialect, robots_url);
  for (const Verdict& verdict : {compiled.check(c.url), parsed.check(c.url)}) {
    EXPECT_EQ(to_string(verdict.access()), c.access) << written(c);
    if (c.line != "-") {
      EXPECT_EQ(std::to_string(verdict.line()), c.line) << written(c);
    }
    EXPECT_EQ(to_string(naive), to_string(test::answer_of(verdict))) << written(c);
  }
}

TEST(Conformance, HandmadeCases) {
  const std::vector<Case> cases = cases_of(folder() / "handmade.tsv");
  EXPECT_GT(cases.size(), 250U);
  for (const Case& c : cases) run(c);
}

TEST(Conformance, SemanticsCases) {
  const std::vector<Case> cases = cases_of(folder() / "semantics.tsv");
  EXPECT_GT(cases.size(), 340U);
  for (const Case& c : cases) run(c);
}

TEST(Conformance, GeneratedCases) {
  const std::vector<Case> cases = cases_of(folder() / "generated.tsv");
  EXPECT_EQ(cases.size(), 400U);
  for (const Case& c : cases) run(c);
}

// --- where the files come from -------------------------------------------------------------------------------------

std::string semantics_cases() {
  std::string out(heading);
  for (const test::SemanticsRow& row : test::semantics_rows()) {
    if (row.number == 58) continue;  // 20,000 octets: too long for a line of a table
    for (std::size_t i = 0; i < row.answers.size(); ++i) {
      const Dialect& dialect = Dialect::presets()[i];
      const std::string url = "http://foo.bar" + row.url;
      const oracle::Answer answer = oracle::ask(test::expanded(row), row.agent, url, dialect, robots_url);
      if ((answer.access == Access::allowed ? 'A' : 'D') != row.answers[i]) continue;
      out += written({std::string(dialect.name), row.agent, url, row.answers[i] == 'A' ? "allowed" : "disallowed", "-",
                      test::expanded(row), "row " + std::to_string(row.number)});
    }
  }
  return out;
}

// Half of them answered by a rule, so that the file is not mostly silence.
std::string generated_cases() {
  constexpr std::uint32_t seed = 20'26;
  std::string out(heading);
  test::RandomFile random(seed);
  std::size_t deciding = 0, silent = 0;
  while (deciding + silent < 400) {
    const Dialect& dialect = Dialect::presets()[random.below(2)];
    const std::string robots = random.file();
    for (int i = 0; i < 8 && deciding + silent < 400; ++i) {
      const std::string agent = random.agent(), url = random.url();
      const oracle::Answer answer = oracle::ask(robots, agent, url, dialect);
      std::size_t& kind = answer.why == Why::rule ? deciding : silent;
      if (kind == (answer.why == Why::rule ? 300U : 100U)) continue;
      ++kind;
      out += written({std::string(dialect.name), agent, url, std::string(to_string(answer.access)),
                      std::to_string(answer.line), robots, "seed " + std::to_string(seed)});
      break;
    }
  }
  return out;
}

// The stored files are exactly what is made here: nobody mends an answer by hand.
void expect_stored(const char* name, const std::string& made) {
  if (std::getenv("ROBOTRULES_WRITE_CONFORMANCE") != nullptr) std::ofstream(folder() / name, std::ios::binary) << made;
  EXPECT_TRUE(test::bytes_of(folder() / name) == made) << name << " is not what the oracle says: see README.md there";
}

TEST(Conformance, SemanticsFileIsUpToDate) { expect_stored("semantics.tsv", semantics_cases()); }
TEST(Conformance, GeneratedFileIsUpToDate) { expect_stored("generated.tsv", generated_cases()); }

TEST(Conformance, EscapesOfTheFilesAreReversible) {
  std::string all;
  for (unsigned c = 0; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_EQ(unescaped(escaped(all)), all);
}

// --- answers of other implementations ------------------------------------------------------------------------------

std::string from_base64(std::string_view text) {
  static constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    const std::size_t value = alphabet.find(c);
    if (value == std::string_view::npos) break;
    bits = bits << 6 | static_cast<unsigned>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 255);
    }
  }
  return out;
}

std::string_view as_written_there(Access access) { return access == Access::allowed ? "allow" : "deny"; }

// A recorded verdict: a member of the files, and the preset that must say the same. Only Google's has lines.
struct Recorded {
  const char* member;
  const char* dialect;
  std::size_t column;  // of corpus.tsv
};
void PrintTo(const Recorded& recorded, std::ostream* out) { *out << recorded.dialect; }

class ExternalConformance : public testing::TestWithParam<Recorded> {
 protected:
  const Dialect& dialect() const { return *Dialect::find(GetParam().dialect); }
  bool agrees(Access access, std::uint32_t line, std::string_view expected, const std::string& expected_line) const {
    return as_written_there(access) == expected &&
           (GetParam().dialect != std::string_view("google") || std::to_string(line) == expected_line);
  }
};

INSTANTIATE_TEST_SUITE_P(Dialects, ExternalConformance,
                         testing::Values(Recorded{"google", "google", 3},
                                         Recorded{"www_robotrules", "www-robotrules", 5},
                                         Recorded{"robotstxt_rb", "robotstxt-rb", 6}),
                         [](const auto& info) { return std::string(info.param.member); });

TEST_P(ExternalConformance, AdversarialFiles) {
  const auto path = test::optional_folder("ROBOTRULES_CONFORMANCE", "conformance") / "adversarial.ndjson";
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << "no " << path << ": set ROBOTRULES_CONFORMANCE to the folder with the recorded answers to run this";
  }
  constexpr std::string_view site = "http://example.com/robots.txt";
  std::ifstream stream(path);
  std::string line;
  std::size_t asked = 0, wrong = 0;
  while (std::getline(stream, line)) {
    const auto entry = nlohmann::json::parse(line);
    if (entry.at(GetParam().member).is_null()) continue;
    const std::string robots = from_base64(entry.at("robots_b64").get<std::string>());
    const auto agent = entry.at("agent").get<std::string>();
    const auto url = entry.at("url").get<std::string>();
    const auto expected = entry.at(GetParam().member).get<std::string>();
    const std::string expected_line = std::to_string(entry.at("google_line").get<std::uint32_t>());
    const Rules rules = Rules::compile(test::ExactBlock(robots).view(), agent, dialect(), site);
    const Verdict verdict = rules.check(url);
    const oracle::Answer naive = oracle::ask(robots, agent, url, dialect(), site);
    ++asked;
    if (agrees(verdict.access(), verdict.line(), expected, expected_line) &&
        agrees(naive.access, naive.line, expected, expected_line)) {
      continue;
    }
    if (++wrong <= 5) {
      ADD_FAILURE() << line << "\nengine: " << test::shown(to_string(test::answer_of(verdict)))
                    << "\noracle: " << test::shown(to_string(naive));
    }
  }
  EXPECT_GT(asked, 0U);
  EXPECT_EQ(wrong, 0U) << "of " << asked;
}

TEST_P(ExternalConformance, RealFiles) {
  const auto path = test::optional_folder("ROBOTRULES_CONFORMANCE", "conformance") / "corpus.tsv";
  const auto corpus = test::optional_folder("ROBOTRULES_CORPUS", "corpus");
  if (!std::filesystem::exists(path) || !std::filesystem::is_directory(corpus)) {
    GTEST_SKIP() << "no " << path << " or no " << corpus
                 << ": set ROBOTRULES_CONFORMANCE and ROBOTRULES_CORPUS to run this";
  }
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  const std::vector<std::string> head = fields(line);
  ASSERT_GT(head.size(), GetParam().column) << line;
  ASSERT_EQ(head[GetParam().column], GetParam().member);
  std::size_t asked = 0, wrong = 0;
  std::string host, robots;
  std::map<std::string, Rules> by_agent;
  while (std::getline(stream, line)) {
    const std::vector<std::string> f = fields(line);
    ASSERT_EQ(f.size(), head.size());
    if (f[GetParam().column] == "-") continue;
    if (f[0] != host) {
      host = f[0];
      robots = test::bytes_of(corpus / host);
      by_agent.clear();
    }
    auto found = by_agent.find(f[1]);
    if (found == by_agent.end()) {
      found = by_agent.emplace(f[1], Rules::compile(robots, f[1], dialect(), "https://" + host + "/robots.txt")).first;
    }
    const Verdict verdict = found->second.check(f[2]);
    ++asked;
    if (agrees(verdict.access(), verdict.line(), f[GetParam().column], f[4])) continue;
    if (++wrong <= 5) ADD_FAILURE() << line << "\nengine: " << test::shown(to_string(test::answer_of(verdict)));
  }
  EXPECT_GT(asked, 0U);
  EXPECT_EQ(wrong, 0U) << "of " << asked;
}

// Real files through the other presets: the engine's two ways and the oracle, for a few agents and the files' own
// paths.
TEST(RealFiles, EngineAndOracleAgreeUnderEveryPreset) {
  const auto corpus = test::optional_folder("ROBOTRULES_CORPUS", "corpus");
  if (!std::filesystem::is_directory(corpus)) {
    GTEST_SKIP() << "no " << corpus << ": set ROBOTRULES_CORPUS to a folder of robots.txt files to run this";
  }
  const std::size_t largest = std::getenv("ROBOTRULES_SOAK") != nullptr ? 1'000'000 : 1'500;
  std::size_t asked = 0;
  for (const auto& path : test::files_under(corpus)) {
    const std::string robots = test::bytes_of(path);
    if (robots.size() > largest) continue;
    for (const Dialect& dialect : Dialect::presets()) {
      const RobotsTxt document = RobotsTxt::parse(robots, dialect, robots_url);
      const oracle::File file = oracle::read(robots, dialect);
      for (const char* agent : {"Googlebot", "FooBot", "ia_archiver"}) {
        const Rules rules = Rules::compile(robots, agent, dialect, robots_url);
        const Rules parsed = document.rules_for(agent);
        for (std::size_t i = 0; i < document.size(); i += 3) {
          const std::string url = "http://foo.bar" + std::string(document.directive(i).value) + (i % 2 == 0 ? "" : "x");
          const oracle::Answer expected = oracle::ask(file, agent, url, dialect, robots_url);
          ++asked;
          ASSERT_EQ(to_string(test::answer_of(rules.check(url))), to_string(expected))
              << path << ' ' << dialect.name << ' ' << url;
          ASSERT_EQ(to_string(test::answer_of(parsed.check(url))), to_string(expected))
              << path << ' ' << dialect.name << ' ' << url;
        }
      }
    }
  }
  EXPECT_GT(asked, 0U);
}

}  // namespace
}  // namespace robotrules
